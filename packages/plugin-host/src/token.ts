import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns a random secret of 256 bits, as 43 base64url characters. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Compares a secret with the expected one in constant time. */
export const isToken = (token: string, expected: string): boolean =>
  timingSafeEqual(digest(token), digest(expected))

const digest = (text: string) => createHash('sha256').update(text).digest()
