import { type DeviceCode, ProviderRefused } from '#lib/features/connections/providers/provider.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { accountOf } from './account-of.ts'
import { type AttemptRow, hashOf } from './attempt.ts'
import { authorizationUrl, openTicket } from './authorization-url.ts'
import type { Credential } from './credential.ts'
import { codeOf } from './device.ts'
import { headerOf } from './header-of.ts'
import { type Integration, integrationFor } from './integration.ts'
import { ringPoll } from './ring-poll.ts'
import { settleConnect } from './settle-connect.ts'

/** A browser that has an attempt's address: `personIn` says who is signed in there. */
export type Visitor = { browser: string; personIn: (workspaceId: string) => Promise<Actor | null> }

/**
 * What somebody is shown at the address of an attempt: `ask`, before anything leaves, where nobody has signed in here to
 * whom it belongs; `enter` credentials; the `code` to enter at the provider; `go` there; or that it is `over`, or why it cannot
 * go on.
 */
export type Step =
  | { kind: 'ask' | 'enter'; attempt: AttemptRow; integration: Integration; fault?: string }
  | { kind: 'code'; attempt: AttemptRow; integration: Integration; code: DeviceCode }
  | { kind: 'go'; url: string }
  | { kind: 'over'; attemptId: string }
  | { kind: 'refused'; words: string }

/**
 * What the button of `ask` brings back. Only the browser that was asked can: whoever sends somebody an address does not press
 * the button for them.
 */
export const confirmationToken = (ticket: string, { browser }: Pick<Visitor, 'browser'>): string =>
  hashOf(`sure ${ticket} ${browser}`)

/** Looks at an attempt, and goes on with it. `sure`: whoever it is was asked, and pressed the button. */
export async function visitConnect(ctx: Ctx, ticket: string, visitor: Visitor, sure: boolean): Promise<Step> {
  const opened = await open(ctx, ticket, visitor)
  if ('kind' in opened) return opened
  const { tx, attempt, integration } = opened
  if (attempt.mode === 'api_key') return { kind: 'enter', attempt, integration }
  if (!attempt.begunById.startsWith('person:') && !sure) return { kind: 'ask', attempt, integration }
  try {
    if (attempt.mode === 'device') {
      const { code, pollIn } = await codeOf(tx, attempt)
      await ringPoll(tx, attempt.attemptId, pollIn)
      return { kind: 'code', attempt, integration, code }
    }
    return { kind: 'go', url: await authorizationUrl(tx, attempt) }
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    await settleConnect(tx, attempt, { refused: error.message })
    return { kind: 'over', attemptId: attempt.attemptId }
  }
}

/** Credentials that somebody entered: held against the service where that is possible, and kept. */
export async function enterCredential(
  ctx: Ctx,
  ticket: string,
  visitor: Visitor,
  entered: URLSearchParams
): Promise<Step> {
  const opened = await open(ctx, ticket, visitor)
  if ('kind' in opened) return opened
  const { tx, attempt, integration } = opened
  // What is entered is no proof of a consent that was to be given elsewhere.
  if (attempt.mode !== 'api_key')
    return {
      kind: 'refused',
      words: `This connection to ${integration.service} does not use a token. Open this window again.`
    }
  const fields = integration.apiKey?.fields ?? []
  const credential: Credential = Object.fromEntries(
    fields.map(({ name }) => [name, (entered.get(name) ?? '').trim()])
  )
  const enter = (fault: string): Step => ({ kind: 'enter', attempt, integration, fault })
  const missing = fields.find(({ name }) => credential[name] === '')
  if (missing !== undefined) return enter(`${missing.label} is missing.`)
  if (Object.values(credential).some(value => value.length > 8000 || /[\r\n]/.test(value)))
    return enter('A credential must be one line of up to 8,000 characters.')
  // The bytes that a header may have (RFC 9110, 5.5).
  if (
    Object.values(headerOf(integration, 'api_key', credential)).some(value =>
      /[^\t\x20-\x7e\x80-\xff]/.test(value)
    )
  )
    return enter('This credential has characters that cannot be sent. Copy it again.')
  try {
    const named = await accountOf(tx, integration, 'api_key', credential)
    const account = named ?? fields.flatMap(({ plain, name }) => (plain ? [credential[name]] : []))[0]
    const granted = { credential, scopes: [], ...(account === undefined ? {} : { account }) }
    await settleConnect(tx, attempt, { granted })
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    return enter(error.message)
  }
  return { kind: 'over', attemptId: attempt.attemptId }
}

async function open(
  ctx: Ctx,
  ticket: string,
  { browser, personIn }: Visitor
): Promise<Step | { tx: Ctx; attempt: AttemptRow; integration: Integration }> {
  const found = await openTicket(ctx, ticket, browser)
  if ('refused' in found) return { kind: 'refused', words: found.refused }
  const { attempt } = found
  const stranger = await strangerTo(attempt, personIn)
  if (stranger !== undefined) return { kind: 'refused', words: stranger }
  if (attempt.outcome !== null || attempt.usedAt !== null)
    return { kind: 'over', attemptId: attempt.attemptId }
  const tx = inWorkspaceOf(ctx, attempt)
  return { tx, attempt, integration: await integrationFor(tx, attempt.integration) }
}

/** Why this browser's person may not go on with an attempt of somebody who has signed in here; undefined: they may. */
export async function strangerTo(
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

/** The page has no workspace of its own: an attempt has. */
export const inWorkspaceOf = (ctx: Ctx, { workspaceId }: AttemptRow): Ctx => ({
  ...ctx,
  workspaceId,
  actor: { kind: 'system', name: 'server', workspaceId }
})
