import { randomBytes } from 'node:crypto'

/** Returns a random secret of 256 bits, as 43 base64url characters. */
export const newToken = (): string => randomBytes(32).toString('base64url')
