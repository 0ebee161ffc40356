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
  htmlPage(tone, heading, content, { title: 'Acme · a sample service', look })

/** Acme is another product, so it has its own font and color, a card, and a header instead of the rail. */
const look = `
:root{--ground:light-dark(#f5f1fb,#17121f);--panel:light-dark(#fff,#211a2c);--ink:light-dark(#241a33,#efe9f7);--muted:light-dark(#655a75,#b3a7c4);--line:light-dark(#e2d9f0,#3a2f4a);--rail:light-dark(#8d7fa3,#7f7196);--brand:light-dark(#6d28d9,#b794f6);--on-brand:light-dark(#fff,#17121f)}
body{font:16px/26px "Trebuchet MS","Segoe UI",Verdana,sans-serif}
main{max-width:480px;min-height:0;margin:72px auto 32px;padding:32px;background:var(--panel);border:1px solid var(--line);border-radius:14px}
main::before{content:"Acme";inset:-48px auto auto 0;width:auto;height:32px;background:none;color:var(--brand);font:700 22px/32px inherit}
main::after{display:none}
h1{font-size:22px;line-height:30px;font-weight:700}
button,a.button{border-radius:22px}
button.primary,a.primary{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
@media (max-width:520px){main{margin:64px 16px 24px;padding:24px 20px}}
`

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
