import type { IncomingHttpHeaders } from 'node:http'
import { clientAddress } from '#lib/http/request/client-address.ts'
import { html } from '#lib/http/response/html.ts'
import { htmlPage } from '#lib/http/response/html-page.ts'
import { statusOf } from '#lib/http/response/problem.ts'
import { toApiError } from '#lib/http/response/to-api-error.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Handler } from './http-server.ts'
import { headersOf } from './upgrades.ts'

/** The pages whose forms sign a user in. */
const pages = /^\/(sign-in|join\/[^/]+)\/?$/

/**
 * Returns true if Next might run the form of a sign-in page. Next runs a form at the URL of any page if
 * `Next-Action` or the request's parts (`multipart/form-data`) name it.
 */
const canBeForm = (path: string, { 'next-action': action, 'content-type': type }: IncomingHttpHeaders) =>
  pages.test(path) ||
  (!/^\/(api|external)\//.test(path) &&
    (action !== undefined || /^\s*multipart\/form-data/i.test(type ?? '')))

/**
 * Applies the rate limit for sign-in attempts to forms of pages, per client IP and before Next reads them. Responds
 * with `429` above the limit. The endpoints of next-auth have their own check (`limit-sign-in.ts`).
 */
export function limitPages(handle: Handler): Handler {
  return async (request, response) => {
    const { method = '', url = '/', headers } = request
    // The server has already rejected paths that cannot be decoded.
    const path = decodeURI(url.split('?', 1)[0] ?? '/')
    if (method !== 'POST' || !canBeForm(path, headers)) return handle(request, response)
    const address = clientAddress(headersOf(request))
    try {
      await runtime().ports.enforceRateLimit('signIn', `page ${address}`)
    } catch (error) {
      const { apiError, status = statusOf[apiError.code] } = toApiError(error, { method, path })
      const page = htmlPage('fail', "You can't sign in right now", html`<p>${apiError.message}</p>`, {
        title: 'Sign in · Waystation'
      })
      response.writeHead(status, {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Retry-After': String(apiError.extra.retryAfter ?? 2),
        // The rest of the request body is not read.
        Connection: 'close'
      })
      return response.end(page)
    }
    return handle(request, response)
  }
}
