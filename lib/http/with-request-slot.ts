import type { Actor } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Runs `work` while it occupies one of the places for open requests of its link or API key. The limit covers slow
 * bodies and long-running calls. Throws `RATE_LIMITED` over the limit. `link` identifies the target of the request's
 * link, if it has one.
 */
export async function withRequestSlot<T>(
  actor: Actor,
  link: string | undefined,
  work: () => Promise<T>
): Promise<T> {
  const release = placeOf(actor, link)
  try {
    return await work()
  } finally {
    release?.()
  }
}

function placeOf(actor: Actor, link: string | undefined): (() => void) | undefined {
  const { acquireSlot: takePlace } = runtime().ports
  if (link !== undefined) return takePlace('linkRequest', link)
  return actor.kind === 'key' ? takePlace('keyRequest', actor.keyId) : undefined
}
