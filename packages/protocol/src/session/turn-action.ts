import { Key } from '@waystation/protocol/idempotency-key.ts'
import { z } from 'zod'
import { UserPart } from './message.ts'
import { ClientTool } from './session.ts'
import { InSession } from './session-id.ts'

/** Selects a turn by any message in it: a user's message and everything up to the next one. */
const InTurn = InSession.extend({ messageId: z.string().min(1).max(200) })

/**
 * Runs a turn again, optionally with another `text` or `parts`. With `text`, the message's files stay. If the removed
 * turns have pending calls, the request is rejected, unless `calls` is set to cancel them.
 */
export const RerunTurn = InTurn.extend({
  text: z.string().optional(),
  parts: z.array(UserPart).min(1).max(50).optional(),
  calls: z.boolean().default(false),
  key: Key.optional(),
  clientTools: z.array(ClientTool).max(64).optional()
})
export type RerunTurn = z.infer<typeof RerunTurn>

/** Deletes a turn from the conversation and from the model's context. `calls` also cancels its pending calls. */
export const RemoveTurn = InTurn.extend({ calls: z.stringbool().default(false) })
export type RemoveTurn = z.infer<typeof RemoveTurn>

export const RemovedTurn = z.object({ messageIds: z.array(z.string()) })
export type RemovedTurn = z.infer<typeof RemovedTurn>

/** Creates a session with a copy of the conversation up to and including this turn. */
export const BranchSession = InTurn.extend({ key: Key.optional() })
export type BranchSession = z.infer<typeof BranchSession>

export const Branched = z.object({ sessionId: z.string(), agentId: z.string(), title: z.string() })
export type Branched = z.infer<typeof Branched>

/** Why messages were removed: to run the turn again, to run it with other text, or to delete it. */
export const TakenOut = z.enum(['rerun', 'edit', 'delete'])
export type TakenOut = z.infer<typeof TakenOut>
