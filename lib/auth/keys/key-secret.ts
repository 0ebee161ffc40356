import { createHash, randomBytes } from 'node:crypto'

/** Generates an API key: `way_` and 32 random bytes. With 256 bits of entropy, a plain SHA-256 is safe to store. */
export const newKeySecret = (): string => `way_${randomBytes(32).toString('base64url')}`

/** Returns the SHA-256 of a key, in hexadecimal. The database stores only this. */
export const hashOfKey = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Returns the part of a key that lists show, enough to tell keys apart but not to guess the rest. */
export const prefixOfKey = (secret: string): string => secret.slice(0, 10)
