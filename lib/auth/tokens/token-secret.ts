import { randomBytes } from 'node:crypto'

const prefix = 'wst_'

/** Generates a session token: `wst_` and 32 random bytes. The database stores only its SHA-256 (`key-secret.ts`). */
export const newTokenSecret = (): string => prefix + randomBytes(32).toString('base64url')

/** Returns whether a credential has the prefix of session tokens. Only such credentials are looked up as tokens. */
export const isTokenSecret = (secret: string | undefined): secret is string =>
  secret?.startsWith(prefix) ?? false
