import { admit } from '#lib/http/admit.ts'
import { heedLimit } from '#lib/http/heed-limit.ts'
import { problem } from '#lib/http/problem.ts'
import { refusalOf } from '#lib/http/refusal-of.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'

/** Where streams to plugins are (003-14). */
const address = /^\/api\/v1\/workspaces\/([^/]+)\/views\/([^/]+)\/stream$/

/** The workspace and the plugin that a path names, where it is that of a stream. */
export function streamAt(path: string): { workspaceId: string; plugin: string } | undefined {
  const [, workspaceId, plugin] = address.exec(path) ?? []
  if (workspaceId === undefined || plugin === undefined) return undefined
  try {
    return { workspaceId: decodeURIComponent(workspaceId), plugin: decodeURIComponent(plugin) }
  } catch {
    return undefined
  }
}

/**
 * Judges a request for a stream as at the door of a call that changes things, so that a cookie is good only from a page of ours
 * (RFC 6455, 10.2). `look` judges again, for as long as it lasts; it refuses.
 */
export async function admitStream(request: Request): Promise<{ ctx: Ctx; look: () => Promise<void> }> {
  const judged = new Request(request.url, { method: 'POST', headers: request.headers })
  const judge = () => admit(judged, { actor: 'user', scope: 'send' })
  const actor = await judge()
  await heedLimit(actor)
  return {
    ctx: ctxFor(actor),
    async look() {
      await judge()
    }
  }
}

/** What is answered in the place of an upgrade. */
export function refuseUpgrade(error: unknown): Response {
  const { refusal, status } = refusalOf(error, { method: 'WS', path: '/api/v1/workspaces/…/stream' })
  return problem(refusal, status)
}
