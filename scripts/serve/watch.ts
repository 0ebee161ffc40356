import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { operations } from '#lib/http/operations/all.ts'
import { routesOf } from '#lib/http/route-of.ts'
import { meters } from '#lib/infra/observe/meters.ts'
import { log, withOwnFields } from '#lib/kernel/log.ts'
import type { Handler } from './http-server.ts'

/** A request that took longer than this is worth a line. Milliseconds. */
const slowMs = 2_000

const routeOf = routesOf(operations)

/** A caller's own request ID is kept when it is a plain one. */
const plain = /^[\w.:-]{8,128}$/

/**
 * Watches a request: gives it an ID (`X-Request-Id`, the caller's or a new one), which every line written for it
 * carries and its answer too; counts it; and writes one line about it when it failed here or was slow, or at `debug`.
 * Its route is told, never its address: some hold capabilities.
 */
export function watched(handle: Handler): Handler {
  const { requests, open } = meters()
  return (request, response) => {
    const began = performance.now()
    const requestId = idOf(request)
    const { route, ids } = routeOf(pathOf(request))
    const method = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(request.method ?? '')
      ? (request.method as string)
      : 'other'
    request.headers['x-request-id'] = requestId
    response.setHeader('X-Request-Id', requestId)
    open.inc({ route })
    return withOwnFields({ requestId, ...ids }, () => {
      const closed = () => {
        open.dec({ route })
        const ms = performance.now() - began
        const isStream = String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')
        // Cut off by the caller before there was an answer: nginx's word for it.
        const status = response.headersSent ? response.statusCode : 499
        if (!isStream) requests.observe({ method, route, status: String(status) }, ms / 1000)
        const bad = status >= 500 && route !== '/api/health'
        const level = bad ? 'error' : ms > slowMs && !isStream ? 'warn' : 'debug'
        log(level, 'a request', { method, route, status, ms: Math.round(ms) })
      }
      // A socket that breaks says so from nowhere.
      response.once('close', AsyncLocalStorage.bind(closed))
      return handle(request, response)
    })
  }
}

function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && plain.test(given) ? given : randomUUID()
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/'
