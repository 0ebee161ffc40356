import type { Actor } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Counts a request of an API key or an end user against their limit: `429 RATE_LIMITED` past it. People in the playground are
 * not counted.
 */
export async function enforceRateLimit(actor: Actor): Promise<void> {
  const { enforceRateLimit: heedLimit } = runtime().ports
  if (actor.kind === 'key') await heedLimit('key', actor.keyId)
  if (actor.kind === 'subject') await heedLimit('subject', `${actor.workspaceId} ${actor.subject}`)
}
