import { notFound } from '@waystation/base/api-error.ts'
import type { RouteAnswer, RouteRequest } from '@waystation/plugin-host/contract.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { pluginIn } from '#lib/plugins/plugin-in.ts'
import { decodedSegments, isDeclared } from './find-route.ts'
import { originOfView } from './origin-of-view.ts'
import { unavailable } from './views.ts'

/**
 * Passes a request on to a plugin that declared its route (003-13). The body is unchanged. The plugin receives
 * the path decoded. Throws `NOT_FOUND` if the route is not declared, and `UNAVAILABLE` with the reason if the
 * plugin fails.
 */
export async function forwardRoute(
  ctx: Ctx,
  { workspaceId, plugin: name }: { workspaceId: string; plugin: string },
  request: RouteRequest,
  signal: AbortSignal
): Promise<RouteAnswer> {
  const plugin = pluginIn(ctx, workspaceId, name)
  const segments = decodedSegments(request.path)
  const routes = plugin.views.flatMap(({ routes }) => routes)
  if (segments === undefined || !isDeclared(routes, request.method, segments))
    throw notFound('route', `${request.method} ${request.path}`)
  try {
    return await plugin.handleRoute(
      { ...request, path: `/${segments.join('/')}` },
      { ...originOfView(ctx), signal }
    )
  } catch (error) {
    throw unavailable(error)
  }
}
