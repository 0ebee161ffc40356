import { authorize, authorizeAgain } from '#lib/http/authorize.ts'
import { enforceRateLimit } from '#lib/http/enforce-rate-limit.ts'
import { apiErrorFor } from '#lib/http/response/api-error-for.ts'
import { problem } from '#lib/http/response/problem.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OpenStream } from '#lib/kernel/ports/open-streams.ts'
import { ctxFor, runtime } from '#lib/kernel/runtime.ts'

/** The path of a stream to a plugin (003-14). */
const streamPath = /^\/api\/v1\/workspaces\/([^/]+)\/views\/([^/]+)\/stream$/

/** Returns the workspace and plugin in the path of a plugin stream, or undefined for any other path. */
export function streamAt(path: string): { workspaceId: string; plugin: string } | undefined {
  const [, workspaceId, plugin] = streamPath.exec(path) ?? []
  if (workspaceId === undefined || plugin === undefined) return undefined
  try {
    return { workspaceId: decodeURIComponent(workspaceId), plugin: decodeURIComponent(plugin) }
  } catch {
    return undefined
  }
}

/**
 * Authorizes a request for a plugin stream like a change, so a cookie works only from our own pages (RFC 6455, 10.2).
 * The stream occupies its place from then on, even before it is open.
 */
export async function openPluginStream(request: Request): Promise<{ ctx: Ctx; place: OpenStream }> {
  const postRequest = new Request(request.url, { method: 'POST', headers: request.headers })
  const caller = { actor: 'user', scope: 'send' } as const
  const actor = await authorize(postRequest, caller)
  await enforceRateLimit(actor)
  return {
    ctx: ctxFor(actor),
    place: runtime().streams(actor, () => authorizeAgain(postRequest, caller, actor))
  }
}

/** Returns the error response that replaces the upgrade. */
export async function rejectUpgrade(headers: Headers, error: unknown): Promise<Response> {
  const upgrade = { method: 'WS', headers }
  const { apiError, status } = await apiErrorFor(upgrade, '/api/v1/workspaces/…/stream', error)
  return problem(apiError, status)
}
