import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AttemptRow, attemptColumns, hashSecret, newSecret, purposeOf } from './attempt.ts'
import { integrationFor } from './integration.ts'
import { providerOf } from './providers/provider-of.ts'

/**
 * Returns the attempt of a ticket and binds it to the first browser that opens it. If it is unknown, expired
 * or bound to another browser, returns a message for the page.
 */
export async function openTicket(
  ctx: Ctx,
  ticket: string,
  browser: string
): Promise<{ attempt: AttemptRow } | { refused: string }> {
  const browserHash = hashSecret(browser)
  const [attempt] = await ctx.sql<AttemptRow[]>`
    update connection_attempts set browser_hash = ${browserHash}
    where ticket_hash = ${hashSecret(ticket)} and (browser_hash is null or browser_hash = ${browserHash})
    returning ${attemptColumns(ctx.sql)}`
  if (attempt !== undefined) return attempt.due && attempt.outcome === null ? { refused: late } : { attempt }
  const [existing] = await ctx.sql`select from connection_attempts where ticket_hash = ${hashSecret(ticket)}`
  return { refused: existing === undefined ? unknown : otherProvider }
}

/**
 * Returns the URL of the provider's consent page. Each call creates a new state, which the response must
 * return once, and invalidates the previous one. The verifier stays on the server, encrypted.
 */
export async function authorizationUrl(ctx: Ctx, attempt: AttemptRow): Promise<string> {
  const provider = await providerOf(ctx, await integrationFor(ctx, attempt.integration))
  const state = newSecret()
  const { url, flow } = await provider.authorizeUrl({ state, scopes: attempt.scopes })
  await ctx.sql`
    update connection_attempts set state_hash = ${hashSecret(state)},
      sealed = ${ctx.ports.vault.encrypt(JSON.stringify(flow), purposeOf(attempt.attemptId))}
    where id = ${attempt.attemptId} and used_at is null`
  return url
}

/** Messages for a page on which nothing can be connected. */
export const late = 'This connection link has expired. Go back to where you started and connect again.'
export const unknown = 'This connection link is not valid. Go back to where you started and connect again.'
export const otherProvider =
  'You started this connection in another browser. Continue in that browser, or connect again in this one.'
