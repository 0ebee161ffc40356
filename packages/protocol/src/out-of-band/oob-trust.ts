import { z } from 'zod'
import { OobPriority, OobSource } from './out-of-band.ts'

/** The sources that an API key can claim. `user` is reserved for people. */
export const ClaimedSource = OobSource.exclude(['user'])
export type ClaimedSource = z.infer<typeof ClaimedSource>

/**
 * The out-of-band messages that an API key can send (004-14): their highest priority, and the sources that it can
 * claim. Without sources, it can send none.
 */
export const OobTrust = z.strictObject({
  maxPriority: OobPriority.default('high'),
  sources: z
    .array(ClaimedSource)
    .refine(sources => new Set(sources).size === sources.length, 'list each source only once')
    .default(['external'])
})
export type OobTrust = z.infer<typeof OobTrust>

/** The limits of a new key that sets none. */
export const defaultTrust: OobTrust = OobTrust.parse({})

/** The limits of the server's own key, and of keys from before keys had limits. */
export const fullTrust: OobTrust = { maxPriority: 'critical', sources: [...ClaimedSource.options] }
