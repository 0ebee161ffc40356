import { isDeepStrictEqual } from 'node:util'

/**
 * How much of a prompt's beginning is of the one before it: its first `same` messages are those behind the first `skipped` there,
 * as when what came first has left. The messages of a window are the same objects from step to step, but for the newest; a
 * plugin's are copies.
 */
export function overlap(
  messages: readonly unknown[],
  before: readonly unknown[]
): { skipped: number; same: number } {
  const [first] = messages
  const skipped = first === undefined ? 0 : before.findIndex(message => isSame(message, first))
  if (skipped < 0) return { skipped: 0, same: 0 }
  const left = before.length - skipped
  const differs = messages.findIndex((message, n) => n >= left || !isSame(message, before[skipped + n]))
  return { skipped, same: differs < 0 ? messages.length : differs }
}

const isSame = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other)
