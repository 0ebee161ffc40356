import { acmeScopes } from './client.ts'
import type { Page } from './page.ts'
import { type Person, people } from './people.ts'
import { type Html, html, visible } from './server.ts'

/**
 * The client that requests access. `back` and `severed` are explained in `Page`. All values can come from a stranger,
 * because any client can register itself (RFC 7591).
 */
type RequestingClient = { name: string; back: string | undefined; severed: boolean }

/** Returns the sign-in page. Acme has no passwords: the user selects a sample account. */
export const signInPage = ({ name, back, severed }: RequestingClient): Page => ({
  tone: 'you',
  heading: 'Sign in at Acme',
  back,
  severed,
  content: html`<p>${visible(name)} sent you to Acme to connect an account. Acme is a sample service of this Waystation server. Select an account.</p>
<form method="post">${accountButtons}<div class="buttons"><button name="do" value="cancel">Cancel</button></div></form>`
})

/** A button for each sample account. */
const accountButtons: Html = html`<div class="buttons">${people.map(
  ({ id, name }) => html`<button name="person" value="${id}">${name}</button>`
)}</div>`

/** Returns the texts of these scopes for the user, without duplicates. An unknown scope is its own text. */
export const inWords = (scopes: Iterable<string>): string[] =>
  [...new Set(scopes)].map(scope => scopeTexts[scope] ?? scope)

const scopeTexts: Record<string, string> = {
  ...acmeScopes,
  openid: 'Confirm who you are',
  offline_access: 'Keep access while you are away, until you revoke it'
}

type Consent = RequestingClient & { person: Person; scopes: string[] }

/** Returns the page where the user allows or denies all requested scopes, or switches to another account. */
export const consentPage = ({ name, back, severed, person, scopes }: Consent): Page => ({
  tone: 'you',
  heading: `${visible(name)} wants to use your Acme account`,
  back,
  severed,
  content: html`<p>${person.name}, it asks for permission to:</p>
<ul>${inWords(scopes).map(text => html`<li>${visible(text)}</li>`)}</ul>
${back !== undefined && html`<p class="muted">Then you return to ${visible(back)}.</p>`}
<form method="post"><div class="buttons"><button class="primary" name="do" value="allow">Allow</button><button name="do" value="deny">Deny</button></div>
<div class="buttons"><button name="do" value="switch">Use another account</button></div></form>`
})

/** A client with access to the user's account. `since` is a Unix time in seconds. */
export type ConnectedClient = { grantId: string; name: string; scopes: string[]; since: number }

/** Returns the account page. Without a user, it is a sign-in page. `message` is the result of the last action. */
export const accountPage = (
  person: Person | undefined,
  clients: ConnectedClient[],
  message?: string
): Page => ({
  tone: 'plain',
  heading: person === undefined ? 'Your Acme account' : `${person.name} at Acme`,
  content:
    person === undefined
      ? html`<p>You are not signed in. Acme is a sample service. Select an account.</p><form method="post">${accountButtons}</form>`
      : html`${message && html`<p role="status">${message}</p>`}
<p>${clients.length === 0 ? 'No application can use this account.' : 'These applications can use this account:'}</p>
${clients.length > 0 && html`<ul>${clients.map(clientItem)}</ul>`}
<form method="post"><div class="buttons"><button name="do" value="sign-out">Sign out</button></div></form>`
})

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const clientItem = ({ grantId, name, scopes, since }: ConnectedClient): Html => html`<li>${visible(name)}
<small>Since ${time.format(since * 1000)} UTC. ${visible(inWords(scopes).join('. '))}.</small>
<form method="post"><input type="hidden" name="grant" value="${grantId}"><div class="buttons"><button name="do" value="revoke" aria-label="Revoke ${visible(name)}">Revoke</button></div></form></li>`
