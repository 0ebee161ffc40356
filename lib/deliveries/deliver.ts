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
/** The first and the longest wait between attempts, in seconds; full jitter between. */
const wait = { first: 1, longest: 600 }

/**
 * Sends a delivery once, and writes down what came of it, in the session's log too: delivered on any 2xx; else tried
 * again while it has retries left, after a wait of full jitter; else failed. Withdrawn, and not sent, when its call was
 * settled meanwhile. A job that rings twice finds it done. The other system may get it twice after a crash:
 * `Idempotency-Key` is the delivery's ID.
 */
export async function deliver(ctx: Ctx, egress: EgressPolicy, deliveryId: string): Promise<void> {
  const [row] = await ctx.sql<(DeliveryRow & { body: Record<string, unknown>; wanted: boolean })[]>`
    select ${deliveryColumns(ctx.sql)}, body, exists (
      select from calls c where c.session_key = deliveries.session_key and c.tool_call_id = deliveries.tool_call_id
        and c.state = 'open') as wanted
    from deliveries where id = ${deliveryId}`
  if (row === undefined || row.state !== 'pending') return
  if (!row.wanted) return write(ctx, row, 'withdrawn')
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
  const seconds = Math.random() * Math.min(wait.longest, wait.first * 2 ** row.attempts.length)
  await write(
    ctx,
    row,
    delivered ? 'delivered' : again ? 'pending' : 'failed',
    attempt,
    again ? seconds : undefined
  )
}

/** What has become of a delivery, in its row and in its session's log; with `inSeconds`, the job that tries again then. */
async function write(
  ctx: Ctx,
  { id, sessionKey }: DeliveryRow,
  state: DeliveryRow['state'],
  attempt?: DeliveryAttempt,
  inSeconds?: number
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockHeadByKey(tx, sessionKey)
    const [written] = await tx.sql<DeliveryRow[]>`
      update deliveries set attempts = attempts || ${json(attempt === undefined ? [] : [attempt])}::text::jsonb,
        next_at = clock_timestamp() + make_interval(secs => ${inSeconds ?? null}), state = ${state} where id = ${id} and state = 'pending'
      returning ${deliveryColumns(tx.sql)}`
    if (written === undefined) return
    if (head !== undefined) await append(tx, head, [{ type: 'delivery', delivery: wireDelivery(written) }])
    if (inSeconds !== undefined)
      await enqueue(tx, 'deliver', { deliveryId: id }, { key: `deliver:${id}`, inSeconds })
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
