import type { AttemptOutcome } from '@waystation/protocol/connection/connection.ts'
import type { CredentialField } from '@waystation/protocol/connection/integration.ts'
import { html, visible } from '#lib/http/response/html.ts'
import { htmlPage } from '#lib/http/response/html-page.ts'

type AttemptView = {
  attempt: { attemptId: string; begunBy: string; ownerName: string; scopes: readonly string[] }
  integration: {
    service: string
    description?: string | undefined
    apiKey?: { fields: CredentialField[] } | undefined
  }
  error?: string | undefined
}

const title = 'Connect · Waystation'

/**
 * Asks before the redirect for whom the account will be connected. A user who was tricked into opening it can still
 * close it.
 */
export const askPage = ({ attempt, integration }: AttemptView, url: string): string =>
  htmlPage(
    'you',
    `Connect ${integration.service}?`,
    html`<p>${visible(attempt.begunBy)} asks you to connect your ${integration.service} account for <strong>${visible(attempt.ownerName)}</strong>. Agents can then use the account. If you don't know this person, close this window.</p>
<p><a class="button primary" href="${url}">Continue to ${integration.service}</a></p>`,
    { title }
  )

/** The only page where users enter credentials. They never enter them in a conversation. */
export const enterPage = ({ attempt, integration, error }: AttemptView, url: string): string =>
  htmlPage(
    'you',
    `Connect ${integration.service}`,
    html`<p>Your credentials are encrypted and stored on this server for <strong>${visible(attempt.ownerName)}</strong>. They are sent only to ${integration.service}. The agent and its model never see them.</p>
${error && html`<p class="fail" role="alert">${visible(error)}</p>`}
<form method="post" action="${url}" autocomplete="off">
${(integration.apiKey?.fields ?? []).map(
  ({ name, label, help, plain }) => html`<div><label class="words" for="${name}">${label}</label>
<input class="field" id="${name}" name="${name}" type="${plain ? 'text' : 'password'}" required maxlength="8000" autocomplete="off" spellcheck="false"${help && { markup: ` aria-describedby="${name}-help"` }}>
${help && html`<small id="${name}-help">${help}</small>`}</div>`
)}
<div class="buttons"><button class="primary">Connect</button></div>
</form>`,
    { title }
  )

type CodeView = AttemptView & {
  code: { userCode: string; verificationUri: string; verificationUriComplete?: string | undefined }
}

/**
 * Shows the code to enter at the service, on this device or another (RFC 8628, 3.3). The page polls its own URL and
 * reloads when the attempt has ended.
 */
export function codePage({ attempt, integration: { service }, code }: CodeView, nonce: string): string {
  const { userCode, verificationUri, verificationUriComplete = verificationUri } = code
  return htmlPage(
    'you',
    `Connect ${service} with a code`,
    html`<p>On this device or another one, open <strong>${visible(verificationUri.replace(/^https?:\/\//, ''))}</strong>, sign in, and enter this code:</p>
<p class="code">${visible(userCode)}</p>
<p class="buttons"><a class="button primary" href="${verificationUriComplete}" target="_blank" rel="noopener noreferrer">Open ${service}</a></p>
<p class="muted" role="status">Waiting for ${service}. Keep this window open: it closes when you are done. The account is for <strong>${visible(attempt.ownerName)}</strong>.</p>`,
    { title, script: { code: pollScript, nonce } }
  )
}

/** Polls every two seconds, and continues if the server is unreachable. */
const pollScript = `(() => {
const look = () => fetch(location.href, { redirect: 'manual' }).then(
  answer => answer.type === 'opaqueredirect' || answer.status === 403 ? location.reload() : again(),
  again
);
const again = () => setTimeout(look, 2000);
again();
})()`

/** Renders the reason why an account cannot be connected. */
export const errorPage = (message: string): string =>
  htmlPage('fail', 'Account not connected', html`<p>${visible(message)}</p>`, { title })

type DoneView = {
  attemptId: string
  integration: string
  slug: string
  opener: string
  outcome: AttemptOutcome
}

/**
 * Shows how an attempt ended. It notifies the page that opened this window, at its exact origin. If COOP cut off the
 * opener, a BroadcastChannel notifies our own pages. The message names the attempt, the account and the result.
 * Receivers must confirm it with the server.
 */
export function donePage({ attemptId, integration, slug, opener, outcome }: DoneView, nonce: string): string {
  const { connected, words } = outcome
  const message = { type: 'tools:oauth:complete', attemptId, integration, slug, connected }
  const code = `(() => {
const message = ${inScript(message)};
window.opener?.postMessage(message, ${inScript(opener)});
new BroadcastChannel('waystation:connect').postMessage(message);
if (${connected}) setTimeout(() => window.close(), 1500);
})()`
  return htmlPage(
    connected ? 'plain' : 'fail',
    connected ? 'Connected' : 'Not connected',
    html`${words && html`<p>${visible(words)}</p>`}<p class="muted">${connected ? 'You can close this window.' : 'Close this window and try again.'}</p>`,
    { title, script: { code, nonce } }
  )
}

/**
 * Serializes JSON for a script element, so that it cannot end the element or start a comment (HTML standard, 4.12.1.3).
 */
const inScript = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
