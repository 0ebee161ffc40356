import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a secret is the one that is expected, in a time that says nothing of how much of it is. */
export const isToken = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected))

const digest = (text: string) => createHash('sha256').update(text).digest()
