import { Key } from '@waystation/protocol/idempotency-key.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { OobTtl } from './oob-defaults.ts'

/** The kind of sender (004-5). Members and end users are always `user`. API keys choose one of the others (`OobTrust`). */
export const OobSource = z.enum(['user', 'agent', 'system', 'external'])
export type OobSource = z.infer<typeof OobSource>

/**
 * When the agent receives a message (004-8): `critical` before the next tool starts, `high` and `normal` before the
 * next step, `low` at the end of the turn. In an idle session, only `critical` starts a turn. `high` also resumes a
 * parked one.
 */
export const OobPriority = z.enum(['low', 'normal', 'high', 'critical'])
export type OobPriority = z.infer<typeof OobPriority>

/**
 * The state of an out-of-band message.
 * - `held`: stored and shown to people. The agent receives it after a user approves it.
 * - `visible`: stored and shown to people. The agent receives it at its next safe point.
 * - `injected`: part of the prompt of a step.
 * - `acknowledged`: the agent reported what it does with it.
 * - `cancelled`: removed before the agent received it.
 * - `expired`: its `ttlSeconds` passed before the agent received it.
 */
export const OobStatus = z.enum(['held', 'visible', 'injected', 'acknowledged', 'cancelled', 'expired'])
export type OobStatus = z.infer<typeof OobStatus>

/** `relatedTo` is the ID of the message's subject. `action` is the sender's intent. `abort` stops the running turn. */
export const OobMetadata = z.looseObject({
  relatedTo: z.string().max(200).optional(),
  action: z.enum(['inform', 'redirect', 'abort', 'enhance']).optional()
})
export type OobMetadata = z.infer<typeof OobMetadata>

/** `ttlSeconds` counts from when the message is sent. Absent: the default of the agent or the workspace. */
export const SendOob = InSession.extend({
  content: z.string(),
  source: OobSource.optional(),
  sourceId: z.string().trim().min(1).max(128).optional(),
  priority: OobPriority.default('normal'),
  metadata: OobMetadata.optional(),
  ttlSeconds: OobTtl.optional(),
  key: Key.optional()
})
export type SendOob = z.infer<typeof SendOob>

/** `queuePosition` 1 is delivered next. */
export const OobReceipt = z.object({ id: z.string(), status: OobStatus, queuePosition: z.int().min(0) })
export type OobReceipt = z.infer<typeof OobReceipt>

/** A muted sender: all senders of this source, or only `sourceId`. */
export const MutedSource = z.strictObject({
  source: OobSource,
  sourceId: z.string().trim().min(1).max(128).optional()
})
export type MutedSource = z.infer<typeof MutedSource>

export const OobMode = z.enum(['off', 'approve', 'on'])
export type OobMode = z.infer<typeof OobMode>

const Muted = z.array(MutedSource).max(50)

/** The values of a policy that a session, an agent or a workspace sets. Absent values are inherited. */
export const OwnOobPolicy = z.strictObject({
  mode: OobMode.optional(),
  minPriority: OobPriority.optional(),
  muted: Muted.optional()
})
export type OwnOobPolicy = z.infer<typeof OwnOobPolicy>

/** Where a value of a session's policy comes from. `default`: it is built in. */
export const OobPolicyOrigin = z.enum(['session', 'agent', 'workspace', 'default'])
export type OobPolicyOrigin = z.infer<typeof OobPolicyOrigin>

const origins = z.object({ mode: OobPolicyOrigin, minPriority: OobPolicyOrigin, muted: OobPolicyOrigin })
const policyValues = {
  mode: OobMode.default('on'),
  minPriority: OobPriority.default('low'),
  muted: Muted.default([])
}

/**
 * The out-of-band messages that a session accepts (004-14, 004-17).
 * - `mode`: `off` rejects all. `approve` holds messages until a user approves them, except those of people and critical
 *   ones of API keys. `on` accepts all.
 * - Messages below `minPriority` or from `muted` senders are rejected.
 * - `from` tells where each value comes from. `inherited` is the policy without the session's own values. Both are
 *   absent in events of earlier versions.
 */
export const OobPolicy = z.object({
  ...policyValues,
  from: origins.optional(),
  inherited: z.object({ ...policyValues, from: origins }).optional()
})
export type OobPolicy = z.infer<typeof OobPolicy>

/**
 * Replaces the session's own values. Values that are absent are inherited, so an unknown field is an error: a misspelled
 * one would lift the session's restrictions.
 */
export const SetOobPolicy = OwnOobPolicy.extend(InSession.shape)
export type SetOobPolicy = z.infer<typeof SetOobPolicy>

export const InOob = InSession.extend({ oobId: z.string().min(1).max(64) })
export type InOob = z.infer<typeof InOob>

/**
 * An out-of-band message as clients see it (004-5), with the times of its receipts. `sessionId` is the session that
 * receives it. `timestamp` is the same moment as `queuedAt`, in milliseconds since 1970. `expiresAt` is absent if it
 * does not expire. `effect` is the agent's acknowledgment. `approvedBy` and `cancelledBy` are names.
 */
export const OutOfBand = z.object({
  id: z.string(),
  sessionId: z.string(),
  timestamp: z.int(),
  source: OobSource,
  sourceId: z.string(),
  priority: OobPriority,
  content: z.string(),
  metadata: OobMetadata.optional(),
  status: OobStatus,
  queuedAt: Time,
  visibleAt: Time.optional(),
  approvedBy: z.string().optional(),
  injectedAt: Time.optional(),
  acknowledgedAt: Time.optional(),
  cancelledAt: Time.optional(),
  cancelledBy: z.string().optional(),
  expiresAt: Time.optional(),
  effect: z.string().optional(),
  messageId: z.string().optional()
})
export type OutOfBand = z.infer<typeof OutOfBand>
