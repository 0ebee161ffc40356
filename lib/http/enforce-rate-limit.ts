import type { Actor } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Counts a request against the limit of its API key or end user. Throws `RATE_LIMITED` over the limit. Requests of
 * signed-in users are not counted.
 */
export async function enforceRateLimit(actor: Actor): Promise<void> {
  const { ports } = runtime()
  if (actor.kind === 'key') await ports.enforceRateLimit('key', actor.keyId)
  if (actor.kind === 'subject')
    await ports.enforceRateLimit('subject', `${actor.workspaceId} ${actor.subject}`)
}
