import type { ServerResponse } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Html } from './server.ts'
import { htmlPage, type Tone } from './server.ts'

export type Page = {
  tone: Tone
  heading: string
  matter: Html
  status?: number
  /** Where its form leads in the end, if not to a page of this server: browsers hold a form's redirects to the policy too. */
  back?: string | undefined
  /** Cuts the tie to whoever opened it, as some providers do. */
  severed?: boolean
}

const markupOf = ({ tone, heading, matter }: Page): string =>
  htmlPage(tone, heading, matter, { title: 'Acme · a sample service' })

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
  ...(severed ? severing : {})
})

/** What cuts the tie between a page and its opener, if that is in a group of its own (HTML, 7.1.3). */
export const severing = { 'cross-origin-opener-policy': 'same-origin' }

export function sendPage(response: ServerResponse, page: Page): void {
  response.writeHead(page.status ?? 200, headersOf(page)).end(markupOf(page))
}

/** The same from within oidc-provider, which has set the status. */
export function showPage(ctx: Pick<KoaContextWithOIDC, 'set' | 'body' | 'status'>, page: Page): void {
  const { status } = ctx
  ctx.set(headersOf(page))
  ctx.body = markupOf(page)
  ctx.status = page.status ?? status
}
