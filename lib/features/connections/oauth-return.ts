import type { Ctx } from '#lib/kernel/ctx.ts'
import { withAccountName } from './account-of.ts'
import { type AttemptRow, attemptColumns, hashSecret, purposeOf } from './attempt.ts'
import { late, otherProvider } from './authorization-url.ts'
import { integrationFor } from './integration.ts'
import type { FlowSecrets, ProviderGrant } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'

/** The attempt to which a provider's response belongs. Its state is already redeemed, so it cannot be used again. */
export type OAuthReturn = { attempt: AttemptRow; flow: FlowSecrets & { state: string } }

/**
 * Redeems the state of a provider's response: once, in time, and only in the browser that received it.
 * Otherwise returns a message for the page and changes nothing, so that an attacker who learns a state cannot
 * invalidate it.
 */
export async function claimAttempt(
  ctx: Ctx,
  state: string,
  browser: string
): Promise<OAuthReturn | { refused: string; attempt?: AttemptRow }> {
  const [attempt] = await ctx.sql<AttemptRow[]>`
    select ${attemptColumns(ctx.sql)} from connection_attempts where state_hash = ${hashSecret(state)}`
  if (attempt === undefined) return { refused: unknownRequest }
  if (attempt.browserHash !== hashSecret(browser)) return { refused: otherProvider }
  if (attempt.usedAt !== null) return { refused: alreadyUsed, attempt }
  if (attempt.due || attempt.sealed === null) return { refused: late, attempt }
  const [claimed] = await ctx.sql`
    update connection_attempts set used_at = clock_timestamp()
    where id = ${attempt.attemptId} and state_hash = ${hashSecret(state)} and used_at is null returning id`
  if (claimed === undefined) return { refused: alreadyUsed, attempt }
  const flow = JSON.parse(
    ctx.ports.vault.decrypt(attempt.sealed, purposeOf(attempt.attemptId))
  ) as FlowSecrets
  return { attempt, flow: { ...flow, state } }
}

/**
 * Exchanges the code in the provider's response for a credential. Throws `ProviderError` if the provider
 * returned an error or its response is invalid.
 */
export async function exchangeCode(
  ctx: Ctx,
  { attempt, flow }: OAuthReturn,
  answer: URL
): Promise<ProviderGrant> {
  const integration = await integrationFor(ctx, attempt.integration)
  const from = await providerOf(ctx, integration, flow.authority ?? null)
  const granted = await withAccountName(ctx, integration, attempt.scopes, await from.exchange(answer, flow))
  return { granted: flow.authority === undefined ? granted : { ...granted, authority: flow.authority }, from }
}

const unknownRequest =
  'This connection request is unknown or has expired. Go back to where you started and connect again.'
const alreadyUsed =
  'This connection request was already used. Go back to where you started to see the result.'
