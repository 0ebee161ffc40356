import { randomBytes } from 'node:crypto'

const prefix = 'wst_'

/** A new session token: `wst_` and 32 random bytes; like a key's, only its SHA-256 is kept (`key-secret.ts`). */
export const newTokenSecret = (): string => prefix + randomBytes(32).toString('base64url')

/** Whether a credential calls itself a session token: those and only those are looked for among the tokens. */
export const isTokenSecret = (secret: string | undefined): secret is string =>
  secret?.startsWith(prefix) ?? false
