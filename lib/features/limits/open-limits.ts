import { ApiError } from '@waystation/base/api-error.ts'
import { slots } from '@waystation/base/slots.ts'
import type { AcquireSlot, ConcurrencyKind } from '#lib/kernel/ctx.ts'

/** Seconds until a retry. The value is a guess, because no one can know when a place becomes free. */
export const retryAfter = 5

/**
 * Limits what is open at the same time in this process, by kind and owner. A limit of 0 means unlimited. The
 * counts are in memory only, because a process that ends has nothing open (docs/limits.md).
 */
export function openLimits(limits: Record<ConcurrencyKind, number>): AcquireSlot {
  const take = slots()
  return (kind, owner) => {
    const max = limits[kind]
    const release = take(`${kind} ${owner}`, max > 0 ? max : Number.POSITIVE_INFINITY)
    if (release === undefined)
      throw new ApiError('RATE_LIMITED', `${messages[kind](max)} Try again in ${retryAfter} s.`, {
        retryAfter
      })
    return release
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
