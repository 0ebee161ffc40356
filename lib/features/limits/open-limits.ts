import { ApiError } from '@waystation/base/api-error.ts'
import type { AcquireSlot, ConcurrencyKind } from '#lib/kernel/ctx.ts'

/** Seconds until a retry. The value is a guess, because no one can know when a place becomes free. */
export const retryAfter = 5

/**
 * Limits what is open at the same time in this process, by kind and owner. A limit of 0 means unlimited. The
 * counts are in memory only, because a process that ends has nothing open (docs/limits.md).
 */
export function openLimits(limits: Record<ConcurrencyKind, number>): AcquireSlot {
  const openByPlace = new Map<string, number>()
  return (kind, owner) => {
    const key = `${kind} ${owner}`
    const count = openByPlace.get(key) ?? 0
    if (limits[kind] > 0 && count >= limits[kind])
      throw new ApiError('RATE_LIMITED', `${messages[kind](limits[kind])} Try again in ${retryAfter} s.`, {
        retryAfter
      })
    openByPlace.set(key, count + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const remaining = (openByPlace.get(key) ?? 1) - 1
      if (remaining === 0) openByPlace.delete(key)
      else openByPlace.set(key, remaining)
    }
  }
}

const messages: Record<ConcurrencyKind, (limit: number) => string> = {
  tokenStream: limit => `This session token has ${limit} open streams, which is the limit. Close one.`,
  subjectStream: limit => `You have ${limit} open streams, which is the limit. Close a tab.`,
  memberStream: limit => `You have ${limit} open streams, which is the limit. Close a tab.`,
  keyStream: limit => `This API key has ${limit} open streams, which is the limit. Close one.`,
  stream: limit => `This server has ${limit} open streams, which is the limit.`,
  export: limit => `You have ${limit} exports in progress, which is the limit. Wait until one is complete.`,
  linkRequest: limit => `This link has ${limit} open requests, which is the limit.`,
  keyRequest: limit => `This API key has ${limit} open requests, which is the limit.`
}
