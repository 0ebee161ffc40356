import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AttemptRow, attemptColumns, hashOf, newSecret, purposeOf } from './attempt.ts'
import { integrationFor } from './integration.ts'
import { providerOf } from './providers/provider-of.ts'

/**
 * The attempt behind a ticket, bound to the browser that opened it first. Gone, or opened by another browser: a sentence
 * for the page.
 */
export async function openTicket(
  ctx: Ctx,
  ticket: string,
  browser: string
): Promise<{ attempt: AttemptRow } | { refused: string }> {
  const hash = hashOf(browser)
  const [mine] = await ctx.sql<AttemptRow[]>`
    update connection_attempts set browser_hash = ${hash}
    where ticket_hash = ${hashOf(ticket)} and (browser_hash is null or browser_hash = ${hash})
    returning ${attemptColumns(ctx.sql)}`
  if (mine !== undefined) return mine.due && mine.outcome === null ? { refused: late } : { attempt: mine }
  const [other] = await ctx.sql`select from connection_attempts where ticket_hash = ${hashOf(ticket)}`
  return { refused: other === undefined ? unknown : elsewhere }
}

/**
 * Where the browser is sent for the provider's consent. Each departure has a state of its own, which its answer must bring
 * back once; the one before it is void. The verifier stays here, sealed.
 */
export async function authorizationUrl(ctx: Ctx, attempt: AttemptRow): Promise<string> {
  const provider = await providerOf(ctx, await integrationFor(ctx, attempt.integration))
  const state = newSecret()
  const { url, kept } = await provider.authorizeUrl({ state, scopes: attempt.scopes })
  await ctx.sql`
    update connection_attempts set state_hash = ${hashOf(state)},
      sealed = ${ctx.ports.vault.seal(JSON.stringify(kept), purposeOf(attempt.attemptId))}
    where id = ${attempt.attemptId} and used_at is null`
  return url
}

export const late = 'This connection link has expired. Go back to where you started and connect again.'
export const unknown = 'This connection link is not valid. Go back to where you started and connect again.'
export const elsewhere =
  'You started this connection in another browser. Continue in that browser, or connect again in this one.'
