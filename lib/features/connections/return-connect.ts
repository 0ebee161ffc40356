import { type Given, ProviderRefused } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import { type AttemptRow, attemptColumns, hashOf } from './attempt.ts'
import { claimAttempt, exchangeCode, type OAuthReturn } from './oauth-return.ts'
import { settleConnect } from './settle-connect.ts'
import { inWorkspaceOf, strangerTo, type Visitor } from './visit-connect.ts'

/** The page on which a browser learns how its attempt ended, or a sentence that says why nothing came of it. */
export type Returned = { attemptId: string } | { refused: string }

/**
 * A provider sends the browser back, with a code or with its error. The state is redeemed once, in the browser that it was
 * given to and by whoever began it; the code is exchanged here, and nothing of it goes further.
 */
export async function returnConnect(ctx: Ctx, answer: URL, visitor: Visitor): Promise<Returned> {
  const arrival = await claimAttempt(ctx, answer.searchParams.get('state') ?? '', visitor.browser)
  if ('refused' in arrival) return { refused: arrival.refused }
  const { attempt } = arrival
  const tx = inWorkspaceOf(ctx, attempt)
  const stranger = await strangerTo(attempt, visitor.personIn)
  await settleConnect(
    tx,
    attempt,
    stranger === undefined ? await granted(tx, arrival, answer) : { refused: stranger }
  )
  return { attemptId: attempt.attemptId }
}

/** How an attempt ended, for the browser in which it was made. */
export async function endedAttempt(
  ctx: Ctx,
  attemptId: string,
  browser: string
): Promise<AttemptRow | undefined> {
  const [row] = await ctx.sql<AttemptRow[]>`
    select ${attemptColumns(ctx.sql)} from connection_attempts
    where id = ${attemptId} and browser_hash = ${hashOf(browser)}`
  return row
}

async function granted(tx: Ctx, arrival: OAuthReturn, answer: URL): Promise<Given | { refused: string }> {
  try {
    return await exchangeCode(tx, arrival, answer)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    // Not the cause: the answer of a provider that keeps to no standard may be quoted in it, token and all.
    log('warn', 'connecting an account failed', {
      integration: arrival.attempt.integration,
      because: error.message
    })
    return { refused: error.message }
  }
}
