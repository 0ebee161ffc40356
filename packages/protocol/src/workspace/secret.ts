import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** Letters, digits, `_`, `.` and `-`; a letter or digit first. Case matters. */
export const SecretName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'Use 1 to 64 letters, digits, "_", "." and "-", with a letter or digit first.'
  )

/** A saved secret without its value, which is never returned. */
export const Secret = z.object({ name: SecretName, savedBy: z.string(), savedAt: Time })
export type Secret = z.infer<typeof Secret>

export const ListSecrets = z.object({})
export type ListSecrets = z.infer<typeof ListSecrets>

/** In the order of their names. */
export const Secrets = z.object({ secrets: z.array(Secret) })
export type Secrets = z.infer<typeof Secrets>

export const InSecret = z.object({ name: SecretName })
export type InSecret = z.infer<typeof InSecret>

export const SaveSecret = InSecret.extend({ value: z.string().min(1).max(16_384) })
export type SaveSecret = z.infer<typeof SaveSecret>
