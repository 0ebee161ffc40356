import type { ServerResponse } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Html } from './server.ts'
import { htmlPage, type Tone } from './server.ts'

/** A page of Acme. `status` is the HTTP status. */
export type Page = {
  tone: Tone
  heading: string
  content: Html
  status?: number
  /**
   * The Content Security Policy source of the client that the page's form finally redirects to. Required if it is not
   * this server, because browsers also apply `form-action` to redirects.
   */
  back?: string | undefined
  /** If true, the page has `isolationHeaders`, as with some providers. */
  severed?: boolean
}

const markupOf = ({ tone, heading, content }: Page): string =>
  htmlPage(tone, heading, content, { title: 'Acme · a sample service' })

const headersOf = ({ back, severed }: Page): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `form-action 'self'${back === undefined ? '' : ` ${back}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join('; '),
  ...(severed ? isolationHeaders : {})
})

/** Cuts the connection between a page and its opener, unless both have this same policy and origin (HTML, 7.1.3). */
export const isolationHeaders = { 'cross-origin-opener-policy': 'same-origin' }

/** Sends a page as the complete response. */
export function sendPage(response: ServerResponse, page: Page): void {
  response.writeHead(page.status ?? 200, headersOf(page)).end(markupOf(page))
}

/** Shows a page from within oidc-provider. Without `page.status`, the status that oidc-provider set stays. */
export function showPage(ctx: Pick<KoaContextWithOIDC, 'set' | 'body' | 'status'>, page: Page): void {
  const { status } = ctx
  ctx.set(headersOf(page))
  ctx.body = markupOf(page)
  ctx.status = page.status ?? status
}
