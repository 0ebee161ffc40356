import { inTransaction } from '#db/transaction.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { lockSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { RetryTurn } from '#lib/protocol/session/session.ts'

/** "Retry now": tries a failed turn's step again, whether it waits for its own retry or has given up. */
export async function retryTurn(ctx: Ctx, input: RetryTurn): Promise<{ turnId: string | null }> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, input.sessionId)
    if (head.status !== 'failed')
      throw new Refusal('CONFLICT', 'There is nothing to retry: the last turn did not fail.')
    const [failed] = await tx.sql<{ id: string }[]>`
      select id from turns where session_key = ${head.sessionKey} order by started_at desc limit 1`
    await put(tx, head, { kind: 'retry', turnId: head.turnId ?? failed?.id ?? '' })
    return { turnId: head.turnId }
  })
}

/** What the retry's job does: puts the item, if that turn still waits for it. */
export async function retryDue(
  ctx: Ctx,
  { sessionKey, turnId }: { sessionKey: number; turnId: string }
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, sessionKey)
    if (head === undefined || head.turnId !== turnId) return
    const [waits] = await tx.sql`select from turns where id = ${turnId} and retry_at is not null`
    if (waits !== undefined) await put(tx, head, { kind: 'retry', turnId })
  })
}

/** The net under the retries' jobs: puts those that are late by a minute, in case a job was lost. */
export async function retryLate(ctx: Ctx): Promise<void> {
  const late = await ctx.sql<{ sessionKey: number; turnId: string }[]>`
    select session_key, id as turn_id from turns
    where retry_at < clock_timestamp() - interval '1 minute' order by retry_at limit 500`
  for (const turn of late) await retryDue(ctx, turn)
}
