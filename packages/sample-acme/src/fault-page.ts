import type { Configuration } from 'oidc-provider'
import { type Page, showPage } from './page.ts'
import { html, visible } from './server.ts'

/** The errors of RFC 6749 (4.1.2.1) and its kin that end on a page of Acme's, said to a person. */
const said: Record<string, string> = {
  invalid_client: 'Acme does not know the application that sent you here.',
  invalid_redirect_uri:
    'The application wants you sent to an address that it has not told Acme before, so you stay here.',
  invalid_request: 'Acme cannot do anything with what the application asked.',
  access_denied: 'You said no. Nothing was connected.',
  server_error: 'Something went wrong at Acme. Try again; the server’s log has more.'
}

/** A page for what cannot go back to the application. */
export const faultPage = (code: string, detail: string | undefined, status: number): Page => ({
  tone: 'fail',
  heading: 'This did not work',
  status,
  matter: html`<p>${said[code] ?? 'Acme refused what the application asked.'}</p>
<p>Go back to where you came from, and begin there again.</p>
<dl><dt>Code</dt><dd>${visible(code)}</dd>${detail !== undefined && html`<dt>Detail</dt><dd>${visible(detail)}</dd>`}</dl>`
})

/** Somebody came too late, twice, or with another browser. */
export const overPage: Page = {
  tone: 'fail',
  heading: 'This step is over',
  status: 400,
  matter: html`<p>It was answered before, took too long, or began in another browser.</p>
<p>Go back to where you came from, and begin there again.</p>`
}

export const nothingPage: Page = {
  tone: 'plain',
  heading: 'There is nothing here',
  status: 404,
  matter: html`<p>Acme is a sample service inside this Waystation.</p><p><a href="/samples/acme/account">Go to your account there</a></p>`
}

export const renderFault: NonNullable<Configuration['renderError']> = (ctx, out, error) =>
  showPage(
    ctx,
    error.constructor.name === 'SessionNotFound'
      ? overPage
      : faultPage(out.error, out.error === 'server_error' ? undefined : out.error_description, ctx.status)
  )
