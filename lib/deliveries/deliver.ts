import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import type { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { inTransaction } from '#db/transaction.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { attemptDelivery } from './attempt.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'
import { withFileLinks } from './file-link.ts'
import { showOnMessage } from './show-on-message.ts'

/**
 * Seconds between attempts: the first wait, the longest wait with full jitter, and the longest wait that `Retry-After`
 * can request.
 */
const waitSeconds = { first: 1, longest: 600, asked: 3600 }

/** How many attempts keep their response (as many as there are without a manual retry), and attempts in total. */
const limits = { bodies: 11, attempts: 20 }

/** How many hours the answer to an external agent's call is retried. The agent's `retries` do not apply. */
const answerHours = 24

/** How many seconds an attempt can run before its process is considered dead. No attempt takes this long. */
const claimSeconds = 30

type Sendable = DeliveryRow & {
  workspaceId: string
  agentId: string
  body: Record<string, unknown>
  wanted: boolean
}

/**
 * Sends a delivery once and records the result in its row and in the session's log:
 * - any 2xx: delivered
 * - anything else with retries left: retried after a wait with full jitter, or after `Retry-After` if that is longer
 * - otherwise: failed
 * - the call was settled in the meantime: withdrawn, and not sent
 *
 * A session's messages are sent in order. A message that must wait is enqueued when the earlier one is done. A second
 * job for the same delivery does nothing. After a crash, the receiver can get a delivery twice, with the delivery's ID
 * as `Idempotency-Key`. If the receiver has a secret, the request is signed as a Standard Webhook.
 */
export async function deliver(ctx: Ctx, deliveryId: string): Promise<void> {
  const row = await claim(ctx, deliveryId)
  if (row === undefined) return checkLater(ctx, deliveryId)
  if (!row.wanted) return write(ctx, row, 'withdrawn')
  const { id, url, workspaceId, agentId, webhookId } = row
  const owner = webhookId === null ? (`agent:${agentId}` as const) : (`webhook:${webhookId}` as const)
  const body = await withFileLinks(ctx, row)
  const { attempt, retryAfter, late } = await attemptDelivery(ctx, { id, url, body, workspaceId, owner })
  const delivered = attempt.error === undefined
  const jittered = Math.random() * Math.min(waitSeconds.longest, waitSeconds.first * 2 ** row.attempts.length)
  const seconds = Math.max(jittered, Math.min(waitSeconds.asked, retryAfter))
  await write(ctx, row, delivered ? 'delivered' : 'failed', {
    attempt,
    reason: delivered ? undefined : late ? 'timeout' : attempt.status,
    retryIn: delivered ? undefined : seconds
  })
}

/**
 * Claims a delivery for one attempt, in one statement, so that only one of two jobs gets it. Returns undefined if the
 * delivery is done, is being sent, or must wait for an earlier message of its session.
 */
async function claim(ctx: Ctx, deliveryId: string): Promise<Sendable | undefined> {
  const [row] = await ctx.sql<Sendable[]>`
    update deliveries d set claimed_until = clock_timestamp() + make_interval(secs => ${claimSeconds})
    where id = ${deliveryId} and state = 'pending' and coalesce(claimed_until, '-infinity') < clock_timestamp()
      and not (kind = 'message' and exists (
        select from deliveries b where b.session_key = d.session_key and b.kind = 'message' and b.state = 'pending'
          and b.created_at < d.created_at))
    returning ${deliveryColumns(ctx.sql)}, body, workspace_id,
      coalesce(body ->> 'agentId', (select agent_id from sessions where key = d.session_key)) as agent_id,
      kind <> 'call.opened' or exists (
        select from calls c where c.session_key = d.session_key and c.tool_call_id = d.tool_call_id and c.state = 'open')
        as wanted`
  return row
}

/**
 * If a delivery is being sent, enqueues a check for the time when its claim expires, because its process might have
 * died.
 */
async function checkLater(ctx: Ctx, deliveryId: string): Promise<void> {
  const [claimed] = await ctx.sql<{ seconds: number }[]>`
    select extract(epoch from claimed_until - clock_timestamp())::float8 as seconds from deliveries
    where id = ${deliveryId} and state = 'pending' and claimed_until > clock_timestamp()`
  if (claimed === undefined) return
  await enqueue(ctx, 'deliver', { deliveryId }, { key: `deliver:${deliveryId}`, inSeconds: claimed.seconds })
}

type Outcome = {
  attempt?: DeliveryAttempt
  reason?: MessageDelivery['reason']
  /** How many seconds after a failed attempt the retry starts, if any is left. */
  retryIn?: number | undefined
}

/**
 * Records the result of an attempt in the delivery's row, in the session's log and on its message, and enqueues the
 * retry. The row says whether a retry is left, because a user can have given it up during the attempt.
 */
async function write(
  ctx: Ctx,
  { id, sessionKey }: DeliveryRow,
  end: Exclude<DeliveryRow['state'], 'pending'>,
  { attempt, reason, retryIn }: Outcome = {}
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, sessionKey)
    const hasRetry = tx.sql`${retryIn !== undefined} and case when kind = 'call.settled'
      then created_at > clock_timestamp() - make_interval(hours => ${answerHours})
      else jsonb_array_length(attempts) < retries end`
    const [updated] = await tx.sql<DeliveryRow[]>`
      update deliveries set attempts = ${attemptsWith(tx, attempt)}, claimed_until = null,
        next_at = case when ${hasRetry} then clock_timestamp() + make_interval(secs => ${retryIn ?? 0}) end,
        state = case when ${hasRetry} then 'pending' else ${end} end
      where id = ${id} and state = 'pending'
      returning ${deliveryColumns(tx.sql)}`
    if (updated === undefined) return
    const { state } = updated
    const wire = wireDelivery(updated)
    // Webhook deliveries are left out of the log, because they do not concern the session's followers.
    if (session !== undefined && updated.kind !== 'webhook')
      append(tx, session, [{ type: 'delivery', delivery: wire }])
    if (session !== undefined && updated.kind === 'message' && state !== 'withdrawn')
      await showOnMessage(tx, session, updated.messageId, ({ stopped }) => ({
        state,
        ...(stopped === undefined ? {} : { stopped }),
        ...(reason === undefined ? {} : { reason }),
        ...(attempt === undefined ? {} : { at: attempt.at }),
        ...(wire.nextAt === undefined ? {} : { nextAt: wire.nextAt })
      }))
    if (state === 'pending' && retryIn !== undefined)
      await enqueue(tx, 'deliver', { deliveryId: id }, { key: `deliver:${id}`, inSeconds: retryIn })
    else if (updated.kind === 'message') {
      await enqueueNext(tx, sessionKey)
      // A sub-agent that did not receive its task cannot do it.
      if (state === 'failed' && session !== undefined) await notifyParent(tx, session)
    }
  })
}

/**
 * Appends an attempt to a row. Users can redeliver without limit, so only the last attempts are kept, and response
 * bodies only for the last few.
 */
const attemptsWith = ({ sql }: Ctx, attempt: DeliveryAttempt | undefined) => sql`(
  select coalesce(jsonb_agg(case when later < ${limits.bodies} then one else one - 'body' end order by later desc), '[]')
  from (
    select one, row_number() over (order by place desc) - 1 as later
    from jsonb_array_elements(attempts || ${attempt === undefined ? [] : [attempt]}::jsonb)
      with ordinality as each (one, place)
  ) as counted
  where later < ${limits.attempts})`

/** Enqueues the session's oldest pending message. */
export async function enqueueNext(tx: Ctx, sessionKey: number): Promise<void> {
  const [next] = await tx.sql<{ id: string }[]>`
    select id from deliveries where session_key = ${sessionKey} and kind = 'message' and state = 'pending'
    order by created_at limit 1`
  if (next !== undefined) await enqueue(tx, 'deliver', { deliveryId: next.id }, { key: `deliver:${next.id}` })
}

/** Enqueues deliveries that are a minute overdue, in case a job was lost. */
export async function enqueueOverdue(ctx: Ctx): Promise<void> {
  const overdue = await ctx.sql<{ id: string }[]>`
    select id from deliveries
    where state = 'pending' and coalesce(next_at, created_at) < clock_timestamp() - interval '1 minute'
    order by created_at limit 500`
  for (const { id } of overdue) await enqueue(ctx, 'deliver', { deliveryId: id }, { key: `deliver:${id}` })
}
