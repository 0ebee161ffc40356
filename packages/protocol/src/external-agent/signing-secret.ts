import { InAgent } from '@waystation/protocol/agent/agent.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * A valid signing secret. The server signs requests with it, and replies can be signed with it. `retiresAt` is when it
 * expires. It is set once there is a newer secret.
 */
export const SigningSecret = z.object({
  secretId: z.string(),
  createdBy: z.string(),
  createdAt: Time,
  retiresAt: Time.optional()
})
export type SigningSecret = z.infer<typeof SigningSecret>

/** `overlapSeconds` is how long earlier secrets stay valid (default: one day). Use 0 if a secret was leaked. */
export const RotateSecret = InAgent.extend({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86400)
    .default(86400)
})
export type RotateSecret = z.infer<typeof RotateSecret>

/** `secret` is `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const NewSecret = z.object({ secretId: z.string(), secret: z.string() })
export type NewSecret = z.infer<typeof NewSecret>
