import { log } from '@waystation/base/log.ts'
import { ProviderError, type ProviderGrant } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AttemptRow, attemptColumns, hashSecret } from './attempt.ts'
import { claimAttempt, exchangeCode, type OAuthReturn } from './oauth-return.ts'
import { settleConnect } from './settle-connect.ts'
import { inWorkspaceOf, type Visitor, wrongUserReason } from './visit-connect.ts'

/** The page that shows the outcome of the attempt, or a message if there is no attempt to show. */
export type ReturnResult = { attemptId: string } | { refused: string }

/**
 * Handles the browser's return from the provider with a code or an error. The state is redeemed once, and
 * only in the browser and by the user that started the attempt. The code is exchanged here and not passed on.
 */
export async function returnConnect(ctx: Ctx, answer: URL, visitor: Visitor): Promise<ReturnResult> {
  const claimed = await claimAttempt(ctx, answer.searchParams.get('state') ?? '', visitor.browser)
  if ('refused' in claimed) return { refused: claimed.refused }
  const { attempt } = claimed
  const tx = inWorkspaceOf(ctx, attempt)
  const problem = await wrongUserReason(attempt, visitor.personIn)
  await settleConnect(
    tx,
    attempt,
    problem === undefined ? await exchangeOrError(tx, claimed, answer) : { refused: problem }
  )
  return { attemptId: attempt.attemptId }
}

/** Returns an attempt to the browser in which it was made, or undefined. */
export async function endedAttempt(
  ctx: Ctx,
  attemptId: string,
  browser: string
): Promise<AttemptRow | undefined> {
  const [row] = await ctx.sql<AttemptRow[]>`
    select ${attemptColumns(ctx.sql)} from connection_attempts
    where id = ${attemptId} and browser_hash = ${hashSecret(browser)}`
  return row
}

async function exchangeOrError(
  tx: Ctx,
  claimed: OAuthReturn,
  answer: URL
): Promise<ProviderGrant | { refused: string }> {
  try {
    return await exchangeCode(tx, claimed, answer)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    // Do not log the cause: it may quote a nonstandard response, including the token.
    log('warn', 'connecting an account failed', {
      integration: claimed.attempt.integration,
      because: error.message
    })
    return { refused: error.message }
  }
}
