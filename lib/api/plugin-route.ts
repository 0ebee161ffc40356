import type { RouteAnswer, RouteRequest } from '@waystation/plugin-host/contract.ts'
import { type Handler, type RequestContext, raw } from '#lib/http/raw.ts'
import { readBytes } from '#lib/http/request/read-bytes.ts'
import { inertHeaders } from '#lib/http/response/inert-headers.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type PluginRef = { workspaceId: string; plugin: string }
type Pass = (ctx: Ctx, plugin: PluginRef, request: RouteRequest, signal: AbortSignal) => Promise<RouteAnswer>

const maxBytes = 4 * 1024 * 1024

/**
 * Request headers that a plugin receives: those about the body and the response format. Headers about the user or the
 * network path are left out.
 */
const requestHeaders = [
  'accept',
  'accept-language',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent'
]

/**
 * Response headers of a plugin that are passed on. A reverse proxy obeys some of the others, such as
 * `X-Accel-Redirect`.
 */
const responseHeaders = new Set([
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

/**
 * Makes the handler that passes requests to a plugin (003-13). The body is unchanged, and only the listed headers are
 * passed on.
 */
export function pluginRoute(pass: Pass): Handler & { path: string } {
  const handle = async ({ request, params, ctx }: RequestContext) => {
    const { signal } = request
    const method = methodOf(request)
    const { workspaceId = '', plugin = '' } = params
    const url = new URL(request.url)
    const path = url.pathname.replace(/^(\/[^/]+){5}\/[^/]+\/routes/, '')
    const headers = Object.fromEntries(
      requestHeaders.flatMap(name => {
        const value = request.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
    )
    const query = Object.fromEntries(url.searchParams)
    const body = method === 'GET' ? new Uint8Array() : await readBytes(request, maxBytes, 'request')
    const response = await pass(ctx, { workspaceId, plugin }, { method, path, body, headers, query }, signal)
    const passedHeaders = Object.entries(response.headers).filter(([name]) =>
      responseHeaders.has(name.toLowerCase())
    )
    const isEmpty = [204, 205, 304].includes(response.status)
    return new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: {
        ...Object.fromEntries(passedHeaders),
        ...inertHeaders,
        'x-frame-options': 'DENY',
        'cache-control': 'private, no-store'
      }
    })
  }
  const path = '/api/v1/workspaces/{workspaceId}/views/{plugin}/routes/*'
  const read = raw({ actor: 'user', scope: 'read', path }, handle)
  const change = raw({ actor: 'user', scope: 'send', path }, handle)
  const handler: Handler = (request, params) => (methodOf(request) === 'GET' ? read : change)(request, params)
  return Object.assign(handler, { path })
}

/** `HEAD` is handled as `GET`, and the transport omits the body. */
const methodOf = ({ method }: Request): string => (method === 'HEAD' ? 'GET' : method)
