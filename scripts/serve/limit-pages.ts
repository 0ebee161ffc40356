import type { IncomingHttpHeaders } from 'node:http'
import { clientAddress } from '#lib/http/request/client-address.ts'
import { html } from '#lib/http/response/html.ts'
import { htmlPage } from '#lib/http/response/html-page.ts'
import { statusOf } from '#lib/http/response/problem.ts'
import { refusalOf } from '#lib/http/response/refusal-of.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Handler } from './http-server.ts'
import { headersOf } from './upgrades.ts'

/** The pages whose forms sign a person in. */
const pages = /^\/(sign-in|join\/[^/]+)\/?$/

/**
 * Whether Next may run the form of a sign-in page: it runs a form at the address of any page, when the request names it in
 * `Next-Action` or in its own parts (`multipart/form-data`).
 */
const mayBeForm = (path: string, { 'next-action': named, 'content-type': type }: IncomingHttpHeaders) =>
  pages.test(path) ||
  (!/^\/(api|external)\//.test(path) && (named !== undefined || /^\s*multipart\/form-data/i.test(type ?? '')))

/**
 * Counts forms of pages for the client IP, before Next reads them: `429` past the limit of sign-in attempts. The
 * endpoints of next-auth count for themselves (`limit-sign-in.ts`).
 */
export function limitPages(handle: Handler): Handler {
  return async (request, response) => {
    const { method = '', url = '/', headers } = request
    // The server has refused what cannot be decoded.
    const path = decodeURI(url.split('?', 1)[0] ?? '/')
    if (method !== 'POST' || !mayBeForm(path, headers)) return handle(request, response)
    const address = clientAddress(headersOf(request))
    try {
      await runtime().ports.enforceRateLimit('signIn', `page ${address}`)
    } catch (error) {
      const { refusal, status = statusOf[refusal.code] } = refusalOf(error, { method, path })
      const page = htmlPage('fail', "You can't sign in right now", html`<p>${refusal.message}</p>`, {
        title: 'Sign in · Waystation'
      })
      response.writeHead(status, {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Retry-After': String(refusal.extra.retryAfter ?? 2),
        // What its body still has is not read.
        Connection: 'close'
      })
      return response.end(page)
    }
    return handle(request, response)
  }
}
