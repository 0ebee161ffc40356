import { acmeScopes } from './client.ts'
import type { Page } from './page.ts'
import { type Person, people } from './people.ts'
import { type Html, html, visible } from './server.ts'

/** Who came with what: as the interaction tells it, which a stranger may have written. */
type Asking = { name: string; back: string | undefined; severed: boolean }

/** Nobody has a password here: a sample person is picked. */
export const signInPage = ({ name, back, severed }: Asking): Page => ({
  tone: 'you',
  heading: 'Sign in at Acme',
  back,
  severed,
  matter: html`<p>${visible(name)} sent you to Acme to connect an account. Acme is a sample service of this Waystation server. Select an account.</p>
<form method="post">${pick}<div class="buttons"><button name="do" value="cancel">Cancel</button></div></form>`
})

export const pick: Html = html`<div class="buttons">${people.map(
  ({ id, name }) => html`<button class="primary" name="person" value="${id}">${name}</button>`
)}</div>`

/** What an application would be allowed, in a person's words; each once. */
export const inWords = (scopes: Iterable<string>): string[] =>
  [...new Set(scopes)].map(scope => words[scope] ?? scope)

const words: Record<string, string> = {
  ...acmeScopes,
  openid: 'Confirm who you are',
  offline_access: 'Keep access while you are away, until you revoke it'
}

type Consent = Asking & { person: Person; scopes: string[] }

export const consentPage = ({ name, back, severed, person, scopes }: Consent): Page => ({
  tone: 'you',
  heading: `${visible(name)} wants to use your Acme account`,
  back,
  severed,
  matter: html`<p>${person.name}, it asks for permission to:</p>
<ul>${inWords(scopes).map(words => html`<li>${visible(words)}</li>`)}</ul>
${back !== undefined && html`<p class="muted">Then you return to ${visible(back)}.</p>`}
<form method="post"><div class="buttons"><button class="primary" name="do" value="allow">Allow</button><button name="do" value="deny">Deny</button></div>
<div class="buttons"><button name="do" value="switch">Use another account</button></div></form>`
})

/** An application that a person has let in. `since`: Unix time. */
export type Connected = { grantId: string; name: string; scopes: string[]; since: number }

export const accountPage = (person: Person | undefined, apps: Connected[], said?: string): Page => ({
  tone: 'plain',
  heading: person === undefined ? 'Your Acme account' : `${person.name} at Acme`,
  matter:
    person === undefined
      ? html`<p>You are not signed in. Acme is a sample service. Select an account.</p><form method="post">${pick}</form>`
      : html`${said && html`<p role="status">${said}</p>`}
<p>${apps.length === 0 ? 'No application can use this account.' : 'These applications can use this account:'}</p>
${apps.length > 0 && html`<ul>${apps.map(connected)}</ul>`}
<form method="post"><div class="buttons"><button name="do" value="sign-out">Sign out</button></div></form>`
})

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const connected = ({ grantId, name, scopes, since }: Connected): Html => html`<li>${visible(name)}
<small>Since ${when.format(since * 1000)} UTC. ${visible(inWords(scopes).join('. '))}.</small>
<form method="post"><input type="hidden" name="grant" value="${grantId}"><div class="buttons"><button name="do" value="revoke" aria-label="Revoke ${visible(name)}">Revoke</button></div></form></li>`
