import { z } from 'zod'
import { OobTtl } from './oob-defaults.ts'
import { OwnOobPolicy } from './out-of-band.ts'

/**
 * Defaults for out-of-band messages: the policy of sessions that set no own value, and the expiry of messages that set
 * none. An agent's values override the workspace's. The rest is built in (`effective-policy.ts`): messages never
 * expire.
 */
export const OobDefaults = z.strictObject({ ...OwnOobPolicy.shape, ttlSeconds: OobTtl.optional() })
export type OobDefaults = z.infer<typeof OobDefaults>

/** The values of `pending` and `prompt` that a workspace does not set. */
export const oobSizes = {
  pending: { visible: 50, urgent: 70, held: 50 },
  prompt: { full: 20, maxFull: 40, characters: 100 }
}

/** Returns the schema of a whole number with these bounds. */
const count = (min: number, max: number) =>
  z
    .int({ error: 'must be a whole number, like 50' })
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .optional()

/**
 * The most pending messages in a session (004-14). `visible` wait for the agent, and `held` wait for approval. `urgent`
 * replaces `visible` for critical messages and those of users, so that a flood cannot block them.
 */
const Pending = z
  .strictObject({ visible: count(1, 500), urgent: count(1, 500), held: count(1, 500) })
  .refine(({ visible = oobSizes.pending.visible, urgent = oobSizes.pending.urgent }) => urgent >= visible, {
    path: ['urgent'],
    error: 'must be at least the limit of other pending messages'
  })

/**
 * How many out-of-band messages a prompt contains in full (004-14). Above `maxFull`, all but the newest `full` are
 * shortened to a line of `characters`.
 */
const Prompt = z
  .strictObject({ full: count(1, 200), maxFull: count(2, 400), characters: count(20, 1000) })
  .refine(({ full = oobSizes.prompt.full, maxFull = oobSizes.prompt.maxFull }) => maxFull > full, {
    path: ['maxFull'],
    error: 'must be higher than the number of messages that stay in full'
  })

/** A workspace's settings for out-of-band messages. */
export const OobSettings = OobDefaults.extend({ pending: Pending.optional(), prompt: Prompt.optional() })
export type OobSettings = z.infer<typeof OobSettings>
