import type { Configuration } from 'oidc-provider'
import { type Page, showPage } from './page.ts'
import { html, visible } from './server.ts'

/** The errors of RFC 6749 (4.1.2.1) and its kin that end on a page of Acme's, said to a person. */
const said: Record<string, string> = {
  invalid_client: 'Acme does not know the application that sent you.',
  invalid_redirect_uri: 'The application asked Acme to send you to an address that is not registered.',
  invalid_request: 'The application sent a request that is not valid.',
  access_denied: 'You declined. Nothing was connected.',
  server_error: 'Something went wrong at Acme. Try again, or check the server log.'
}

/** A page for what cannot go back to the application. */
export const faultPage = (code: string, detail: string | undefined, status: number): Page => ({
  tone: 'fail',
  heading: 'Request failed',
  status,
  matter: html`<p>${said[code] ?? "Acme rejected the application's request."}</p>
<p>Go back to the application and start again.</p>
<dl><dt>Code</dt><dd>${visible(code)}</dd>${detail !== undefined && html`<dt>Detail</dt><dd>${visible(detail)}</dd>`}</dl>`
})

/** Somebody came too late, twice, or with another browser. */
export const overPage: Page = {
  tone: 'fail',
  heading: 'This step has expired',
  status: 400,
  matter: html`<p>The step was already answered, timed out, or was started in another browser.</p>
<p>Go back to the application and start again.</p>`
}

export const nothingPage: Page = {
  tone: 'plain',
  heading: 'Page not found',
  status: 404,
  matter: html`<p>Acme is a sample service of this Waystation server.</p><p><a href="/samples/acme/account">Go to your Acme account</a></p>`
}

export const renderFault: NonNullable<Configuration['renderError']> = (ctx, out, error) =>
  showPage(
    ctx,
    error.constructor.name === 'SessionNotFound'
      ? overPage
      : faultPage(out.error, out.error === 'server_error' ? undefined : out.error_description, ctx.status)
  )
