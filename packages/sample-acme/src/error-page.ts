import type { Configuration } from 'oidc-provider'
import { type Page, showPage } from './page.ts'
import { html, visible } from './server.ts'

/** The messages for users, by the error codes of RFC 6749 (4.1.2.1, 5.2) and RFC 7591 (3.2.2). */
const messages: Record<string, string> = {
  invalid_client: 'Acme does not know the application that sent you.',
  invalid_redirect_uri: 'The application asked Acme to send you to an address that is not registered.',
  invalid_request: 'The application sent a request that is not valid.',
  access_denied: 'You declined. Nothing was connected.',
  server_error: 'Something went wrong at Acme. Try again, or check the server log.'
}

/**
 * Returns a page for an error that Acme does not send to the client. `code` is an OAuth error code, and `status` is
 * the HTTP status.
 */
export const errorPage = (code: string, detail: string | undefined, status: number): Page => ({
  tone: 'fail',
  heading: 'Request failed',
  status,
  content: html`<p>${messages[code] ?? "Acme rejected the application's request."}</p>
<p>Go back to the application and start again.</p>
<dl><dt>Code</dt><dd>${visible(code)}</dd>${detail !== undefined && html`<dt>Detail</dt><dd>${visible(detail)}</dd>`}</dl>`
})

/** For an interaction that has ended, has expired or belongs to another browser or session. */
export const expiredPage: Page = {
  tone: 'fail',
  heading: 'This step has expired',
  status: 400,
  content: html`<p>The step was already answered, timed out, or was started in another browser.</p>
<p>Go back to the application and start again.</p>`
}

/** For a path that Acme does not have. */
export const notFoundPage: Page = {
  tone: 'plain',
  heading: 'Page not found',
  status: 404,
  content: html`<p>Acme is a sample service of this Waystation server.</p><p><a href="/samples/acme/account">Go to your Acme account</a></p>`
}

/** Renders oidc-provider's errors. Omits the description of a `server_error`. */
export const renderError: NonNullable<Configuration['renderError']> = (ctx, out, error) =>
  showPage(
    ctx,
    error.constructor.name === 'SessionNotFound'
      ? expiredPage
      : errorPage(out.error, out.error === 'server_error' ? undefined : out.error_description, ctx.status)
  )
