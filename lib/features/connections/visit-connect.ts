import { type DeviceCode, ProviderError } from '#lib/features/connections/providers/provider.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { accountOf } from './account-of.ts'
import { type AttemptRow, hashSecret } from './attempt.ts'
import { authorizationUrl, openTicket } from './authorization-url.ts'
import type { Credential } from './credential.ts'
import { deviceCodeOf } from './device.ts'
import { enqueuePoll } from './enqueue-poll.ts'
import { headerOf } from './header-of.ts'
import { type Integration, integrationFor } from './integration.ts'
import { settleConnect } from './settle-connect.ts'

/** A browser with an attempt's URL. `personIn` returns the user who is signed in there. */
export type Visitor = { browser: string; personIn: (workspaceId: string) => Promise<Actor | null> }

/**
 * The next step at an attempt's URL. `ask` for confirmation if the user cannot be identified by a sign-in;
 * `enter` credentials; show the `code` to enter at the provider; `go` to the provider. `over` means that the
 * attempt has ended, and `refused` says why it cannot continue.
 */
export type Step =
  | { kind: 'ask' | 'enter'; attempt: AttemptRow; integration: Integration; error?: string }
  | { kind: 'code'; attempt: AttemptRow; integration: Integration; code: DeviceCode }
  | { kind: 'go'; url: string }
  | { kind: 'over'; attemptId: string }
  | { kind: 'refused'; words: string }

/**
 * Returns the token that the confirmation button submits. It is bound to the browser, so that an attacker who
 * sends a user a URL cannot confirm for them.
 */
export const confirmationToken = (ticket: string, { browser }: Pick<Visitor, 'browser'>): string =>
  hashSecret(`sure ${ticket} ${browser}`)

/** Shows or continues an attempt. `sure` means that the user has confirmed it. */
export async function visitConnect(
  ctx: Ctx,
  ticket: string,
  visitor: Visitor,
  confirmed: boolean
): Promise<Step> {
  const opened = await openAttempt(ctx, ticket, visitor)
  if ('kind' in opened) return opened
  const { tx, attempt, integration } = opened
  if (attempt.mode === 'api_key') return { kind: 'enter', attempt, integration }
  if (!attempt.begunById.startsWith('person:') && !confirmed) return { kind: 'ask', attempt, integration }
  try {
    if (attempt.mode === 'device') {
      const { code, pollIn } = await deviceCodeOf(tx, attempt)
      await enqueuePoll(tx, attempt.attemptId, pollIn)
      return { kind: 'code', attempt, integration, code }
    }
    return { kind: 'go', url: await authorizationUrl(tx, attempt) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await settleConnect(tx, attempt, { refused: error.message })
    return { kind: 'over', attemptId: attempt.attemptId }
  }
}

/** Verifies the credentials that a user entered, if the service permits that, and stores them. */
export async function enterCredential(
  ctx: Ctx,
  ticket: string,
  visitor: Visitor,
  entered: URLSearchParams
): Promise<Step> {
  const opened = await openAttempt(ctx, ticket, visitor)
  if ('kind' in opened) return opened
  const { tx, attempt, integration } = opened
  // If the attempt requires consent at the provider, an entered credential is no substitute.
  if (attempt.mode !== 'api_key')
    return {
      kind: 'refused',
      words: `This connection to ${integration.service} does not use a token. Open this window again.`
    }
  const fields = integration.apiKey?.fields ?? []
  const credential: Credential = Object.fromEntries(
    fields.map(({ name }) => [name, (entered.get(name) ?? '').trim()])
  )
  const enterAgain = (error: string): Step => ({ kind: 'enter', attempt, integration, error })
  const missing = fields.find(({ name }) => credential[name] === '')
  if (missing !== undefined) return enterAgain(`${missing.label} is missing.`)
  if (Object.values(credential).some(value => value.length > 8000 || /[\r\n]/.test(value)))
    return enterAgain('A credential must be one line of up to 8,000 characters.')
  // Only these bytes are valid in a header (RFC 9110, 5.5).
  if (
    Object.values(headerOf(integration, 'api_key', credential)).some(value =>
      /[^\t\x20-\x7e\x80-\xff]/.test(value)
    )
  )
    return enterAgain('This credential has characters that cannot be sent. Copy it again.')
  try {
    const accountName = await accountOf(tx, integration, 'api_key', credential)
    const account = accountName ?? fields.flatMap(({ plain, name }) => (plain ? [credential[name]] : []))[0]
    const granted = { credential, scopes: [], ...(account === undefined ? {} : { account }) }
    await settleConnect(tx, attempt, { granted })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return enterAgain(error.message)
  }
  return { kind: 'over', attemptId: attempt.attemptId }
}

async function openAttempt(
  ctx: Ctx,
  ticket: string,
  { browser, personIn }: Visitor
): Promise<Step | { tx: Ctx; attempt: AttemptRow; integration: Integration }> {
  const result = await openTicket(ctx, ticket, browser)
  if ('refused' in result) return { kind: 'refused', words: result.refused }
  const { attempt } = result
  const problem = await wrongUserReason(attempt, personIn)
  if (problem !== undefined) return { kind: 'refused', words: problem }
  if (attempt.outcome !== null || attempt.usedAt !== null)
    return { kind: 'over', attemptId: attempt.attemptId }
  const tx = inWorkspaceOf(ctx, attempt)
  return { tx, attempt, integration: await integrationFor(tx, attempt.integration) }
}

/** Returns why this browser's user cannot continue an attempt of a signed-in user, or undefined if they can. */
export async function wrongUserReason(
  { begunById, begunBy, workspaceId }: AttemptRow,
  personIn: Visitor['personIn']
): Promise<string | undefined> {
  if (!begunById.startsWith('person:')) return undefined
  const person = await personIn(workspaceId)
  if (person !== null && identityOf(person).id === begunById) return undefined
  return person === null
    ? `${begunBy} started this connection. Sign in as ${begunBy} at this address, then start again.`
    : `${begunBy} started this connection, but you are signed in as ${person.name}. Nothing was connected.`
}

/** Returns a context in the attempt's workspace, because the page itself belongs to no workspace. */
export const inWorkspaceOf = (ctx: Ctx, { workspaceId }: AttemptRow): Ctx => ({
  ...ctx,
  workspaceId,
  actor: { kind: 'system', name: 'server', workspaceId }
})
