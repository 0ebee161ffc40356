import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { acmePath, type MountedRequest } from './mount.ts'
import { showPage } from './page.ts'
import { type Html, html, visible } from './server.ts'

type DevicePages = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** The messages for rejected user codes, by the name of oidc-provider's error. */
const messages: Record<string, string> = {
  NoCodeError: 'Enter the code first.',
  NotFoundError: 'This code is not valid. Check the code on your device.',
  ExpiredError: 'This code has expired. Get a new code on your device.',
  AlreadyUsedError: 'This code was already used. Get a new code on your device.',
  AbortedError: 'Nothing was connected.'
}

/**
 * Asks for the user code that a device shows (RFC 8628, 3.3). The field already contains the code of the last
 * attempt, or else the `user_code` of the URL.
 */
export const userCodePage: NonNullable<DevicePages['userCodeInputSource']> = (ctx, _form, _out, error) => {
  const code = error && 'userCode' in error ? String(error.userCode) : (queryOf(ctx).get('user_code') ?? '')
  const message = error && (messages[error.name] ?? 'Something went wrong. Start again on your device.')
  showPage(ctx, {
    tone: 'you',
    heading: 'Connect a device',
    content: html`<p>Enter the code that your device shows.</p>
${message && html`<p class="fail" role="alert">${message}</p>`}
${form(
  ctx,
  html`<label class="words">Code
<input type="text" name="user_code" value="${code}" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" required></label>
<div class="buttons"><button class="primary">Continue</button></div>`
)}`
  })
}

/**
 * Asks the user to compare the code with the one on their device. The link can come from an attacker, with the code
 * of the attacker's device (RFC 8628, 5.4).
 */
export const confirmCodePage: NonNullable<DevicePages['userCodeConfirmSource']> = (
  ctx,
  _form,
  client,
  _info,
  code
) =>
  showPage(ctx, {
    tone: 'you',
    heading: 'Is this your device?',
    content: html`<p>${visible(client.clientName ?? client.clientId)} wants to use your Acme account. Your device should show this code:</p>
<p class="question">${visible(code)}</p>
<p class="muted">If the code is different, or if you didn't start this, select “Cancel”.</p>
${form(
  ctx,
  html`<input type="hidden" name="user_code" value="${code}">
<div class="buttons"><button class="primary" name="confirm" value="yes">Connect device</button><button name="abort" value="yes">Cancel</button></div>`
)}`
  })

/** Confirms that the device is connected. */
export const deviceConnectedPage: NonNullable<DevicePages['successSource']> = ctx =>
  showPage(ctx, {
    tone: 'plain',
    heading: 'Connected',
    content: html`<p role="status">${visible(ctx.oidc.client?.clientName ?? 'The application')} is connected. Close this page and go back to your device.</p>`
  })

/** Renders a form of the device flow. `xsrf` is the token that oidc-provider expects. */
const form = ({ oidc }: KoaContextWithOIDC, content: Html): Html =>
  html`<form method="post" action="${acmePath('/device')}"><input type="hidden" name="xsrf" value="${String(oidc.session?.state?.secret ?? '')}">${content}</form>`

const queryOf = ({ req }: KoaContextWithOIDC): URLSearchParams =>
  new URLSearchParams((req as MountedRequest).originalUrl?.split('?')[1])
