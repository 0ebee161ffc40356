import { z } from 'zod'
import { InSession, Key } from '#lib/protocol/session/session.ts'
import { Time } from '#lib/protocol/time.ts'
import { OobTtl } from './oob-defaults.ts'

/** Whose words it is (004-5). A person or an end user is always `user`; a key of the workspace says for whom it speaks. */
export const OobSource = z.enum(['user', 'agent', 'system', 'external'])
export type OobSource = z.infer<typeof OobSource>

/**
 * When the agent is told (004-8): `critical` before the next tool starts, `high` and `normal` before the next step, `low` when
 * the turn would end. At rest `critical` alone starts a turn, and `high` goes on from a parked one.
 */
export const OobPriority = z.enum(['low', 'normal', 'high', 'critical'])
export type OobPriority = z.infer<typeof OobPriority>

/**
 * `held`: stored and shown to people; the agent is told when somebody lets it in. `visible`: stored and shown, the agent is told at its next safe point. `injected`: it is in the prompt of a step.
 * `acknowledged`: the agent said what it makes of it. `cancelled`: removed before the agent received it. `expired`: its
 * `ttlSeconds` passed before the agent received it.
 */
export const OobStatus = z.enum(['held', 'visible', 'injected', 'acknowledged', 'cancelled', 'expired'])
export type OobStatus = z.infer<typeof OobStatus>

/** `relatedTo`: the ID of what it is about. `action`: what its sender means by it; `abort` stops the running turn. */
export const OobMetadata = z.looseObject({
  relatedTo: z.string().max(200).optional(),
  action: z.enum(['inform', 'redirect', 'abort', 'enhance']).optional()
})
export type OobMetadata = z.infer<typeof OobMetadata>

/** `ttlSeconds`: counted from when it was sent; left out, the default of the agent or the workspace applies. */
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

/** `queuePosition`: 1 is told next. */
export const OobReceipt = z.object({ id: z.string(), status: OobStatus, queuePosition: z.int().min(0) })
export type OobReceipt = z.infer<typeof OobReceipt>

/** Who is not heard: everybody of this source, or with `sourceId` only that one. */
export const MutedSource = z.strictObject({
  source: OobSource,
  sourceId: z.string().trim().min(1).max(128).optional()
})
export type MutedSource = z.infer<typeof MutedSource>

/**
 * What a session lets in out of band (004-14, 004-17). `mode`: `off` refuses all; `approve` holds what is neither critical nor
 * a person's own until somebody lets it in; `on` lets everything in. Below `minPriority`, and from `muted` sources, it is refused.
 */
export const OobPolicy = z.strictObject({
  mode: z.enum(['off', 'approve', 'on']).default('on'),
  minPriority: OobPriority.default('low'),
  muted: z.array(MutedSource).max(50).default([])
})
export type OobPolicy = z.infer<typeof OobPolicy>

export const SetOobPolicy = InSession.extend(OobPolicy.shape)
export type SetOobPolicy = z.infer<typeof SetOobPolicy>

export const InOob = InSession.extend({ oobId: z.string().min(1).max(64) })
export type InOob = z.infer<typeof InOob>

/** An out-of-band message as everybody sees it (004-5), with the times of its receipts. `expiresAt` is absent when
 * it does not expire. `effect`: the agent's words. */
export const OutOfBand = z.object({
  id: z.string(),
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
  expiresAt: Time.optional(),
  effect: z.string().optional(),
  messageId: z.string().optional()
})
export type OutOfBand = z.infer<typeof OutOfBand>
