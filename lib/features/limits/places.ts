import type { Held, HoldPlace } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/** When to try again: nobody knows when a place becomes free. Seconds. */
export const retryAfter = 5

/**
 * Counts what is open at once in this process, each kind by whom or what it belongs to. 0 of `most`: as many as they like.
 * Nothing of it is stored: a process that ends has nothing open (docs/limits.md).
 */
export function placesWith(most: Record<Held, number>): HoldPlace {
  const taken = new Map<string, number>()
  return (kind, who) => {
    const place = `${kind} ${who}`
    const before = taken.get(place) ?? 0
    if (most[kind] > 0 && before >= most[kind])
      throw new Refusal('RATE_LIMITED', `${refused[kind](most[kind])} Try again in ${retryAfter} s.`, {
        retryAfter
      })
    taken.set(place, before + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const left = (taken.get(place) ?? 1) - 1
      if (left === 0) taken.delete(place)
      else taken.set(place, left)
    }
  }
}

const refused: Record<Held, (most: number) => string> = {
  tokenStream: most => `This session token has ${most} open streams, which is the limit. Close one.`,
  subjectStream: most => `You have ${most} open streams, which is the limit. Close a tab.`,
  memberStream: most => `You have ${most} open streams, which is the limit. Close a tab.`,
  keyStream: most => `This API key has ${most} open streams, which is the limit. Close one.`,
  stream: most => `This server has ${most} open streams, which is the limit.`,
  export: most => `You have ${most} exports in progress, which is the limit. Wait until one is complete.`,
  linkRequest: most => `This link has ${most} open requests, which is the limit.`,
  keyRequest: most => `This API key has ${most} open requests, which is the limit.`
}
