import { isDeepStrictEqual } from 'node:util'

/**
 * Returns how the start of a prompt overlaps the previous one: its first `same` messages are those after the
 * first `skipped` there. `skipped` is greater than 0 if the oldest messages left the context window. Messages
 * are usually the same objects from step to step, which makes the comparison fast. Plugins return copies.
 */
export function overlap(
  messages: readonly unknown[],
  before: readonly unknown[]
): { skipped: number; same: number } {
  const [first] = messages
  const skipped = first === undefined ? 0 : before.findIndex(message => isSame(message, first))
  if (skipped < 0) return { skipped: 0, same: 0 }
  const remaining = before.length - skipped
  const firstDifference = messages.findIndex(
    (message, n) => n >= remaining || !isSame(message, before[skipped + n])
  )
  return { skipped, same: firstDifference < 0 ? messages.length : firstDifference }
}

const isSame = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b)
