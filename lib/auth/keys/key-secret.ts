import { createHash, randomBytes } from 'node:crypto'

/** A new API key: `way_` and 32 random bytes (256 bits), so that a plain SHA-256 of it is enough to keep. */
export const newKeySecret = (): string => `way_${randomBytes(32).toString('base64url')}`

/** What is kept of a key. */
export const hashOfKey = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** What a list shows of a key: enough to tell two apart, far too little to guess the rest. */
export const prefixOfKey = (secret: string): string => secret.slice(0, 10)
