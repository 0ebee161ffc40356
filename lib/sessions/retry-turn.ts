import { ApiError } from '@waystation/base/api-error.ts'
import type { RetryTurn } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { lockSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Retries a failed turn's step now, even if an automatic retry is scheduled or all retries have failed. Throws `CONFLICT` if
 * the last turn did not fail, or is not the one in `turnId`.
 */
export async function retryTurn(ctx: Ctx, input: RetryTurn): Promise<{ turnId: string | null }> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    if (session.status !== 'failed' || session.external)
      throw new ApiError('CONFLICT', 'There is nothing to retry: the last turn did not fail.')
    const [failed] = await tx.sql<{ id: string }[]>`
      select id from turns where session_key = ${session.sessionKey} order by started_at desc limit 1`
    const turnId = session.turnId ?? failed?.id ?? ''
    if (input.turnId !== undefined && input.turnId !== turnId)
      throw new ApiError(
        'CONFLICT',
        'Another turn has started since this one failed. Load the session again.'
      )
    await put(tx, session, { kind: 'retry', turnId })
    return { turnId: session.turnId }
  })
}

/** Puts the retry of a turn into the inbox if it is still waiting. The retry's job calls it. */
export async function runScheduledRetry(
  ctx: Ctx,
  { sessionKey, turnId }: { sessionKey: number; turnId: string }
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, sessionKey)
    if (session === undefined || session.turnId !== turnId) return
    const [waiting] = await tx.sql`select from turns where id = ${turnId} and retry_at is not null`
    if (waiting !== undefined) await put(tx, session, { kind: 'retry', turnId })
  })
}

/** Puts retries that are a minute overdue, in case a job was lost. */
export async function retryOverdue(ctx: Ctx): Promise<void> {
  const overdue = await ctx.sql<{ sessionKey: number; turnId: string }[]>`
    select session_key, id as turn_id from turns
    where retry_at < clock_timestamp() - interval '1 minute' order by retry_at limit 500`
  for (const turn of overdue) await runScheduledRetry(ctx, turn)
}
