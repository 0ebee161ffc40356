import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { addressOf, type Entered } from './addresses.ts'
import { showPage } from './page.ts'
import { type Html, html, visible } from './server.ts'

type DevicePages = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** What is wrong with a code, by the name of oidc-provider's error. */
const faults: Record<string, string> = {
  NoCodeError: 'Enter the code first.',
  NotFoundError: 'This code is not valid. Check the code on your device.',
  ExpiredError: 'This code has expired. Get a new code on your device.',
  AlreadyUsedError: 'This code was already used. Get a new code on your device.',
  AbortedError: 'Nothing was connected.'
}

/** Asks for the code that a device shows (RFC 8628, 3.3), with what the address or the last attempt says already there. */
export const codeEntered: NonNullable<DevicePages['userCodeInputSource']> = (ctx, _form, _out, error) => {
  const sent = error && 'userCode' in error ? String(error.userCode) : (queryOf(ctx).get('user_code') ?? '')
  const fault = error && (faults[error.name] ?? 'Something went wrong. Start again on your device.')
  showPage(ctx, {
    tone: 'you',
    heading: 'Connect a device',
    matter: html`<p>Enter the code that your device shows.</p>
${fault && html`<p class="fail" role="alert">${fault}</p>`}
${form(
  ctx,
  html`<label class="words">Code
<input type="text" name="user_code" value="${sent}" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" required></label>
<div class="buttons"><button class="primary">Continue</button></div>`
)}`
  })
}

/** Has the person compare the code: who sent them here may be somebody else than who holds the device (RFC 8628, 5.4). */
export const codeToConfirm: NonNullable<DevicePages['userCodeConfirmSource']> = (
  ctx,
  _form,
  client,
  _info,
  code
) =>
  showPage(ctx, {
    tone: 'you',
    heading: 'Is this your device?',
    matter: html`<p>${visible(client.clientName ?? client.clientId)} wants to use your Acme account. Your device should show this code:</p>
<p class="question">${visible(code)}</p>
<p class="muted">If the code is different, or if you didn't start this, select “Cancel”.</p>
${form(
  ctx,
  html`<input type="hidden" name="user_code" value="${code}">
<div class="buttons"><button class="primary" name="confirm" value="yes">Connect device</button><button name="abort" value="yes">Cancel</button></div>`
)}`
  })

export const deviceConnected: NonNullable<DevicePages['successSource']> = ctx =>
  showPage(ctx, {
    tone: 'plain',
    heading: 'Connected',
    matter: html`<p role="status">${visible(ctx.oidc.client?.clientName ?? 'The application')} is connected. Close this page and go back to your device.</p>`
  })

const form = ({ oidc }: KoaContextWithOIDC, matter: Html): Html =>
  html`<form method="post" action="${addressOf('/device')}"><input type="hidden" name="xsrf" value="${String(oidc.session?.state?.secret ?? '')}">${matter}</form>`

const queryOf = ({ req }: KoaContextWithOIDC): URLSearchParams =>
  new URLSearchParams((req as Entered).originalUrl?.split('?')[1])
