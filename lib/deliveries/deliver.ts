import { json } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/events/append.ts'
import { lockHeadByKey } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import type { DeliveryAttempt } from '#lib/protocol/delivery.ts'
import { enqueue } from '#lib/queue/enqueue.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'

/** One attempt may take this long (000-10). */
const attemptMs = 5_000
/** The first and the longest wait between attempts; full jitter between. */
const firstWaitMs = 1_000
const longestWaitMs = 10 * 60_000

/**
 * Sends a delivery once, and writes down what came of it, in the session's log too: delivered on any 2xx; else tried again while it has retries
 * left, after a wait of full jitter; else failed. A job that rings twice finds it done. The other system may get it
 * twice after a crash: `Idempotency-Key` is the delivery's ID.
 */
export async function deliver(ctx: Ctx, egress: EgressPolicy, deliveryId: string): Promise<void> {
  const [row] = await ctx.sql<(DeliveryRow & { body: Record<string, unknown> })[]>`
    select ${deliveryColumns(ctx.sql)}, body from deliveries where id = ${deliveryId}`
  if (row === undefined || row.state !== 'pending') return
  const started = performance.now()
  const answer = await safeFetch(egress, row.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': row.id },
    body: JSON.stringify(row.body),
    redirect: 'manual',
    timeout: attemptMs,
    maxBytes: 64 * 1024
  }).then(
    ({ status }) => ({
      status,
      ...(status >= 200 && status < 300 ? {} : { error: `It answered ${status}.` })
    }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) })
  )
  const attempt: DeliveryAttempt = {
    at: new Date().toISOString(),
    ms: Math.round(performance.now() - started),
    ...answer
  }
  const delivered = !('error' in attempt) || attempt.error === undefined
  const again = !delivered && row.attempts.length < row.retries
  const wait = Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** row.attempts.length)
  const nextAt = again ? new Date(Date.now() + wait).toISOString() : undefined
  await inTransaction(ctx, async tx => {
    const head = await lockHeadByKey(tx, row.sessionKey)
    const [tried] = await tx.sql<DeliveryRow[]>`
      update deliveries set attempts = attempts || ${json([attempt])}::text::jsonb, next_at = ${nextAt ?? null}::timestamptz,
        state = ${delivered ? 'delivered' : again ? 'pending' : 'failed'} where id = ${row.id} and state = 'pending'
      returning ${deliveryColumns(tx.sql)}`
    if (tried === undefined) return
    if (head !== undefined) await append(tx, head, [{ type: 'delivery', delivery: wireDelivery(tried) }])
    if (nextAt !== undefined)
      await enqueue(tx, 'deliver', { deliveryId: row.id }, { key: `deliver:${row.id}`, runAt: nextAt })
  })
}

/** The net under the deliveries' jobs: rings for those that are pending and overdue by a minute, in case a job was lost. */
export async function ringPending(ctx: Ctx): Promise<void> {
  const late = await ctx.sql<{ id: string }[]>`
    select id from deliveries
    where state = 'pending' and coalesce(next_at, created_at) < clock_timestamp() - interval '1 minute'
    order by created_at limit 500`
  for (const { id } of late) await enqueue(ctx, 'deliver', { deliveryId: id }, { key: `deliver:${id}` })
}
