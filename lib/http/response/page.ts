import { ApiError } from '@waystation/base/api-error.ts'
import { cleanText } from '@waystation/base/clean-text.ts'
import { ownOrigins } from '#lib/http/request/check-origin.ts'
import { readText } from '#lib/http/request/read-text.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { statusOf } from './problem.ts'
import type { ErrorWriter } from './with-error-response.ts'

/** The most bytes of a form. */
const maxBytes = 512 * 1024

/**
 * Responds with a self-contained page. Its URL is often a credential, so neither caches nor search engines can store
 * it.
 */
export const page = (html: string, status = 200): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer'
    }
  })

/** Returns a writer that shows errors as a page. */
export const asPage =
  (pageOf: (apiError: ApiError) => string): ErrorWriter =>
  (apiError, status = statusOf[apiError.code]) =>
    page(pageOf(apiError), status)

/** Redirects the browser to another URL. */
export const seeOther = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers }
  })

/** Reads the form in a body, regardless of its content type. */
export const readForm = async (request: Request): Promise<URLSearchParams> =>
  new URLSearchParams(cleanText(await readText(request, maxBytes)))

/**
 * Refuses a form that a page of another site sends. A client that knows the URL can send it without a browser, and no
 * cookie is read, so there is nothing to forge. But a browser must not answer because its user visits another page.
 *
 * `Origin` alone is not enough, because under `no-referrer` a browser sends `null` for our own form too (Fetch
 * standard, "append a request `Origin` header"). If a browser sends `Sec-Fetch-Site`, that header decides. Over plain
 * HTTP it sends none, and then only a named origin is foreign. `none` means that a user sent the same form again.
 */
export function checkForm(request: Request): void {
  const { env, ports } = runtime()
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const hasOrigin = origin !== null && origin !== 'null'
  const isCrossSite = site !== null && site !== 'same-origin' && site !== 'none'
  if (isCrossSite || (hasOrigin && !ownOrigins(ports.origin, env.local).includes(origin)))
    throw new ApiError(
      'FOREIGN_ORIGIN',
      'This form was sent from another site. Open the link directly and try again.'
    )
}
