import { ChosenRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { CallState } from '@waystation/protocol/call/call.ts'
import { Key } from '@waystation/protocol/idempotency-key.ts'
import { z } from 'zod'
import { InSession } from './session-id.ts'

/**
 * A configuration to run a message on: a revision or the draft, perhaps with another model. Without `revision`, it is the revision
 * that the session runs on.
 */
export const Variant = z.strictObject({
  revision: ChosenRevision.optional(),
  model: z.string().trim().min(1).max(200).optional()
})
export type Variant = z.infer<typeof Variant>

const InTurn = InSession.extend({ messageId: z.string().min(1).max(200) })

/** Runs a turn's message again in one or two trial sessions. The session does not change. */
export const CompareTurn = InTurn.extend({ with: z.array(Variant).min(1).max(2), key: Key.optional() })
export type CompareTurn = z.infer<typeof CompareTurn>

/** A turn in a session, by its user message. */
export const TurnRef = z.object({ sessionId: z.string(), messageId: z.string() })
export type TurnRef = z.infer<typeof TurnRef>

/** The turns that were started, in the order of `with`. */
export const StartedTrials = z.object({ trials: z.array(TurnRef) })
export type StartedTrials = z.infer<typeof StartedTrials>

export const GetTurnResult = InTurn
export type GetTurnResult = z.infer<typeof GetTurnResult>

/**
 * The outcome of a turn so far.
 *
 * - `waiting`: a call is open.
 * - `seconds`: the time in which the agent worked, without the time in which it waited.
 * - Tokens, costs and times are absent for a turn that was copied from another session.
 */
export const TurnResult = TurnRef.extend({
  state: z.enum(['working', 'waiting', 'done', 'stopped', 'failed']),
  error: z.string().optional(),
  text: z.string(),
  calls: z.array(
    z.object({ toolCallId: z.string(), toolName: z.string(), input: z.unknown(), state: CallState })
  ),
  revision: z.int().optional(),
  model: z.string().optional(),
  inputTokens: z.int().optional(),
  outputTokens: z.int().optional(),
  usd: z.number().optional(),
  seconds: z.number().optional()
})
export type TurnResult = z.infer<typeof TurnResult>

/** `pinnedRevision` is null if the session follows the published revision. */
export const KeptTrial = z.object({ sessionId: z.string(), pinnedRevision: z.int().nullable() })
export type KeptTrial = z.infer<typeof KeptTrial>
