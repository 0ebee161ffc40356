import { type Asked, type Handler, raw } from '#lib/http/raw.ts'
import { readBytes } from '#lib/http/request/read-bytes.ts'
import { inert } from '#lib/http/response/inert.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RouteAnswer, RouteRequest } from '#lib/kernel/ports/plugin-host.ts'

type Place = { workspaceId: string; plugin: string }
type Pass = (ctx: Ctx, place: Place, request: RouteRequest, signal: AbortSignal) => Promise<RouteAnswer>

const mostBytes = 4 * 1024 * 1024

/** Headers of a request that a plugin gets: about the body and the form of the response, not about the person or the way here. */
const toPlugin = [
  'accept',
  'accept-language',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent'
]

/** Headers of a plugin's response that are passed on. A proxy in front obeys some of the others, like `X-Accel-Redirect`. */
const fromPlugin = new Set([
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'retry-after'
])

/** Answers with what a plugin responds (003-13). The body passes byte for byte, and of the headers only those in the lists above. */
export function pluginRoute(pass: Pass): Handler {
  const answer = async ({ request, params, ctx }: Asked) => {
    const { signal } = request
    const method = methodOf(request)
    const { workspaceId = '', plugin = '' } = params
    const url = new URL(request.url)
    const path = url.pathname.replace(/^(\/[^/]+){5}\/[^/]+\/routes/, '')
    const headers = Object.fromEntries(
      toPlugin.flatMap(name => {
        const value = request.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
    )
    const query = Object.fromEntries(url.searchParams)
    const body = method === 'GET' ? new Uint8Array() : await readBytes(request, mostBytes, 'request')
    const response = await pass(ctx, { workspaceId, plugin }, { method, path, body, headers, query }, signal)
    const passed = Object.entries(response.headers).filter(([name]) => fromPlugin.has(name.toLowerCase()))
    const isEmpty = [204, 205, 304].includes(response.status)
    return new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: {
        ...Object.fromEntries(passed),
        ...inert,
        'x-frame-options': 'DENY',
        'cache-control': 'private, no-store'
      }
    })
  }
  const path = '/api/v1/workspaces/{workspaceId}/views/{plugin}/routes/*'
  const read = raw({ actor: 'user', scope: 'read', path }, answer)
  const change = raw({ actor: 'user', scope: 'send', path }, answer)
  return (request, params) => (methodOf(request) === 'GET' ? read : change)(request, params)
}

/** A `HEAD` request is answered as `GET`; the transport leaves the body out. */
const methodOf = ({ method }: Request): string => (method === 'HEAD' ? 'GET' : method)
