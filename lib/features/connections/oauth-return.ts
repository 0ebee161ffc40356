import type { Ctx } from '#lib/kernel/ctx.ts'
import { named } from './account-of.ts'
import { type AttemptRow, attemptColumns, hashOf, purposeOf } from './attempt.ts'
import { elsewhere, late } from './authorization-url.ts'
import { integrationFor } from './integration.ts'
import type { Given, Kept } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'

/** The attempt to which a provider's answer belongs: redeemed by this very look, so that there is no second one. */
export type OAuthReturn = { attempt: AttemptRow; kept: Kept & { state: string } }

/**
 * Redeems the state of a provider's answer: once, in time, in the browser that it was given to. Anything else is a sentence
 * for the page and changes nothing, so that a stranger who learned a state cannot spoil it.
 */
export async function claimAttempt(
  ctx: Ctx,
  state: string,
  browser: string
): Promise<OAuthReturn | { refused: string; attempt?: AttemptRow }> {
  const [known] = await ctx.sql<AttemptRow[]>`
    select ${attemptColumns(ctx.sql)} from connection_attempts where state_hash = ${hashOf(state)}`
  if (known === undefined) return { refused: unasked }
  if (known.browserHash !== hashOf(browser)) return { refused: elsewhere }
  if (known.usedAt !== null) return { refused: twice, attempt: known }
  if (known.due || known.sealed === null) return { refused: late, attempt: known }
  const [taken] = await ctx.sql`
    update connection_attempts set used_at = clock_timestamp()
    where id = ${known.attemptId} and state_hash = ${hashOf(state)} and used_at is null returning id`
  if (taken === undefined) return { refused: twice, attempt: known }
  const kept = JSON.parse(ctx.ports.vault.open(known.sealed, purposeOf(known.attemptId))) as Kept
  return { attempt: known, kept: { ...kept, state } }
}

/** What the provider gives for its answer. Throws `ProviderRefused`: it said no, or what it said cannot be believed. */
export async function exchangeCode(ctx: Ctx, { attempt, kept }: OAuthReturn, answer: URL): Promise<Given> {
  const integration = await integrationFor(ctx, attempt.integration)
  const from = await providerOf(ctx, integration, kept.authority ?? null)
  const granted = await named(ctx, integration, attempt.scopes, await from.exchange(answer, kept))
  return { granted: kept.authority === undefined ? granted : { ...granted, authority: kept.authority }, from }
}

const unasked =
  'This connection request is unknown or has expired. Go back to where you started and connect again.'
const twice = 'This connection request was already used. Go back to where you started to see the result.'
