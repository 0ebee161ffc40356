import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares a secret with the expected one in constant time. */
export const isToken = (token: string, expected: string): boolean =>
  timingSafeEqual(digest(token), digest(expected))

const digest = (text: string) => createHash('sha256').update(text).digest()
