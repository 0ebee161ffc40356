import { z } from 'zod'
import { InAgent } from '#lib/protocol/agent/agent.ts'
import { Time } from '#lib/protocol/time.ts'

/** A secret that holds: what is sent is signed with it, and replies may be. `retiresAt`: until when, once there is a newer. */
export const SigningSecret = z.object({
  secretId: z.string(),
  createdBy: z.string(),
  createdAt: Time,
  retiresAt: Time.optional()
})
export type SigningSecret = z.infer<typeof SigningSecret>

/** `overlapSeconds`: how long the secrets before it hold, a day if it is not said; 0 when one was told to the wrong people. */
export const RotateSecret = InAgent.extend({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86400)
    .default(86400)
})
export type RotateSecret = z.infer<typeof RotateSecret>

/** `secret`: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const NewSecret = z.object({ secretId: z.string(), secret: z.string() })
export type NewSecret = z.infer<typeof NewSecret>
