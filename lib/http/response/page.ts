import { ownOrigins } from '#lib/http/request/check-origin.ts'
import { readText } from '#lib/http/request/read-text.ts'
import { cleanText } from '#lib/kernel/clean-text.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Refuse } from './answer-with.ts'
import { statusOf } from './problem.ts'

/** The most bytes that a form can send. */
const maxBytes = 512 * 1024

/** A page that is whole in itself. Its address is often a credential, so neither caches nor search engines store it. */
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

/** Shows errors as a page. */
export const asPage =
  (pageOf: (refusal: Refusal) => string): Refuse =>
  (refusal, status = statusOf[refusal.code]) =>
    page(pageOf(refusal), status)

/** Sends the browser to another address. */
export const seeOther = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers }
  })

/** The form in a body, read as text whatever its type says. */
export const readForm = async (request: Request): Promise<URLSearchParams> =>
  new URLSearchParams(cleanText(await readText(request, maxBytes)))

/**
 * Refuses a form that a page of another site sends. A client that knows the address could send it without a browser, and no
 * cookie is read, so there is nothing to forge. But a browser must not answer because its user looked at another page.
 *
 * `Origin` alone cannot tell: under `no-referrer` a browser sends `null` for our own form too (Fetch standard, "append a
 * request `Origin` header"). So `Sec-Fetch-Site` decides where a browser sends it. Over plain HTTP it does not; then only an
 * origin with a name is foreign. `none` is a person who sends the same form again.
 */
export function checkForm(request: Request): void {
  const { env, ports } = runtime()
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const named = origin !== null && origin !== 'null'
  const elsewhere = site !== null && site !== 'same-origin' && site !== 'none'
  if (elsewhere || (named && !ownOrigins(ports.origin, env.local).includes(origin)))
    throw new Refusal(
      'FOREIGN_ORIGIN',
      'This form was sent from another site. Open the link directly and try again.'
    )
}
