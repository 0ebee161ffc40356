import { randomBytes } from 'node:crypto'

/** A secret that nobody guesses: 256 bits, as 43 letters, digits, - and _. */
export const newToken = (): string => randomBytes(32).toString('base64url')
