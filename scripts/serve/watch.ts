import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { log, withOwnFields } from '@waystation/base/log.ts'
import { operations } from '#lib/http/operations/all.ts'
import { serverOperations } from '#lib/http/operations/server.ts'
import { routesOf } from '#lib/http/route-of.ts'
import { meters } from '#lib/infra/observe/meters.ts'
import type { Handler } from './http-server.ts'

/** The duration in milliseconds above which a request is logged. */
const slowMs = 2_000

const routeOf = routesOf(operations)

/** A plain request ID of the caller is used as is. */
const plainId = /^[\w.:-]{8,128}$/

/**
 * Handles a request and gives it an ID (`X-Request-Id`, the caller's or a new one). The response and every log line
 * of the request carry this ID. Also records metrics, and logs the request if it failed, was slow, or at level
 * `debug`. The log shows the route and never the URL, because some URLs contain credentials.
 */
export function watched(handle: Handler): Handler {
  const { requests, open } = meters()
  return (request, response) => {
    const startedAt = performance.now()
    const requestId = idOf(request)
    const { route, ids } = routeOf(pathOf(request))
    const method = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(request.method ?? '')
      ? (request.method as string)
      : 'other'
    request.headers['x-request-id'] = requestId
    response.setHeader('X-Request-Id', requestId)
    open.inc({ route })
    return withOwnFields({ requestId, ...ids }, () => {
      const onClose = () => {
        open.dec({ route })
        const ms = performance.now() - startedAt
        const isStream = String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')
        // The client closed the connection before a response: nginx's status code for this case.
        const status = response.headersSent ? response.statusCode : 499
        if (!isStream) requests.observe({ method, route, status: String(status) }, ms / 1000)
        const isError = status >= 500 && route !== serverOperations.health.path
        const level = isError ? 'error' : ms > slowMs && !isStream ? 'warn' : 'debug'
        log(level, 'a request', { method, route, status, ms: Math.round(ms) })
      }
      // The `close` event of a broken socket has no async context, so bind it.
      response.once('close', AsyncLocalStorage.bind(onClose))
      return handle(request, response)
    })
  }
}

function idOf({ headers }: IncomingMessage): string {
  const header = headers['x-request-id']
  return typeof header === 'string' && plainId.test(header) ? header : randomUUID()
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/'
