import { authorize, authorizeAgain } from '#lib/http/authorize.ts'
import { enforceRateLimit } from '#lib/http/enforce-rate-limit.ts'
import { problem } from '#lib/http/response/problem.ts'
import { refusalTo } from '#lib/http/response/refusal-to.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OpenStream } from '#lib/kernel/ports/open-streams.ts'
import { ctxFor, runtime } from '#lib/kernel/runtime.ts'

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
 * (RFC 6455, 10.2). The stream has a place from then on, also while it is being opened.
 */
export async function admitStream(request: Request): Promise<{ ctx: Ctx; place: OpenStream }> {
  const judged = new Request(request.url, { method: 'POST', headers: request.headers })
  const caller = { actor: 'user', scope: 'send' } as const
  const actor = await authorize(judged, caller)
  await enforceRateLimit(actor)
  return { ctx: ctxFor(actor), place: runtime().streams(actor, () => authorizeAgain(judged, caller, actor)) }
}

/** What is answered in the place of an upgrade. */
export async function refuseUpgrade(headers: Headers, error: unknown): Promise<Response> {
  const asked = { method: 'WS', headers }
  const { refusal, status } = await refusalTo(asked, '/api/v1/workspaces/…/stream', error)
  return problem(refusal, status)
}
