import type { Actor } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Does the work of a request while it has a place among those of its link or its API key that are open at once: slow bodies,
 * and calls that wait. When none is left: `429 RATE_LIMITED`. `link` names what the request's link is for, where it has one.
 */
export async function whileHeld<T>(
  actor: Actor,
  link: string | undefined,
  work: () => Promise<T>
): Promise<T> {
  const leave = placeOf(actor, link)
  try {
    return await work()
  } finally {
    leave?.()
  }
}

function placeOf(actor: Actor, link: string | undefined): (() => void) | undefined {
  const { takePlace: hold } = runtime().ports
  if (link !== undefined) return hold('linkRequest', link)
  return actor.kind === 'key' ? hold('keyRequest', actor.keyId) : undefined
}
