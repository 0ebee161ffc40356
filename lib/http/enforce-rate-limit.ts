import type { Actor } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Counts a request of an API key or an end user against their limit: `429 RATE_LIMITED` past it. People in the playground are
 * not counted.
 */
export async function enforceRateLimit(actor: Actor): Promise<void> {
  const { ports } = runtime()
  if (actor.kind === 'key') await ports.enforceRateLimit('key', actor.keyId)
  if (actor.kind === 'subject')
    await ports.enforceRateLimit('subject', `${actor.workspaceId} ${actor.subject}`)
}
