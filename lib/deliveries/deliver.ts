import { storable } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { retryAfterMs } from '#lib/kernel/retry-after.ts'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { OutboundError } from '#lib/net/outbound-error.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import type { DeliveryAttempt } from '#lib/protocol/external-agent/delivery.ts'
import type { MessageDelivery } from '#lib/protocol/session/message-delivery.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'
import { secretsOf } from './secrets.ts'
import { showOnMessage } from './show-on-message.ts'
import { signed } from './sign.ts'

/** One attempt may take this long (000-10). */
const attemptMs = 5_000
/**
 * The first and the longest wait between attempts, in seconds, with full jitter between; and the longest that another system
 * may ask for by `Retry-After`.
 */
const wait = { first: 1, longest: 600, asked: 3600 }

/**
 * How much of an answer is kept, in characters, and read, in bytes; of how many attempts (as many as there are without anybody's
 * asking for more), and how many attempts are kept.
 */
const kept = { characters: 2_000, bytes: 1024 * 1024, bodies: 11, attempts: 20 }

/** How long an attempt may be under way before its process is taken for dead, in seconds: more than any takes. */
const claimSeconds = 30

type Sendable = DeliveryRow & {
  workspaceId: string
  agentId: string
  body: Record<string, unknown>
  wanted: boolean
}

/**
 * Sends a delivery once, and writes down what came of it, in the session's log too: delivered on any 2xx; else tried
 * again while it has retries left, after a wait of full jitter, or as long as its `Retry-After` asks for; else failed. Withdrawn, and not sent, when its call was
 * settled meanwhile. A session's messages go one after the other, in their order: one that stands behind another is
 * rung for when that one is done. A job that rings twice finds it done. The other system may get it twice after a
 * crash: `Idempotency-Key` is the delivery's ID. Signed as a Standard Webhook when its agent has a secret.
 */
export async function deliver(ctx: Ctx, egress: EgressPolicy, deliveryId: string): Promise<void> {
  const row = await claim(ctx, deliveryId)
  if (row === undefined) return lookAgain(ctx, deliveryId)
  if (!row.wanted) return write(ctx, row, 'withdrawn')
  const started = performance.now()
  const {
    retryAfter = 0,
    late,
    ...answer
  }: Answered = await send(ctx, egress, row).catch((error: unknown) => ({
    error: error instanceof Error ? error.message : String(error),
    ...(error instanceof OutboundError && error.code === 'TIMEOUT' ? { late: true } : {})
  }))
  const attempt: DeliveryAttempt = {
    at: new Date().toISOString(),
    ms: Math.round(performance.now() - started),
    ...answer
  }
  const delivered = !('error' in attempt) || attempt.error === undefined
  const again = !delivered && row.attempts.length < row.retries
  const jittered = Math.random() * Math.min(wait.longest, wait.first * 2 ** row.attempts.length)
  const seconds = Math.max(jittered, Math.min(wait.asked, retryAfter))
  await write(ctx, row, delivered ? 'delivered' : again ? 'pending' : 'failed', {
    attempt,
    reason: delivered ? undefined : late ? 'timeout' : answer.status,
    inSeconds: again ? seconds : undefined
  })
}

/**
 * What came of an attempt. `retryAfter`: the seconds for which the other system wants to be left alone. `late`: it did not
 * answer in time.
 */
type Answered = Omit<DeliveryAttempt, 'at' | 'ms'> & { retryAfter?: number; late?: boolean }

/** One POST and what was answered. Throws when there was no answer, or when its secret cannot be opened. */
async function send(
  ctx: Ctx,
  egress: EgressPolicy,
  { id, url, body, workspaceId, agentId, webhookId }: Sendable
): Promise<Answered> {
  const text = JSON.stringify(body)
  const owner = webhookId === null ? (`agent:${agentId}` as const) : (`webhook:${webhookId}` as const)
  const secrets = await secretsOf(ctx, workspaceId, owner)
  const answer = await safeFetch(egress, url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id, ...signed(secrets, id, text) },
    body: text,
    redirect: 'manual',
    timeout: attemptMs,
    maxBytes: kept.bytes
  })
  const { status } = answer
  const accepted = status >= 200 && status < 300
  const asked = retryAfterMs(Object.fromEntries(answer.headers))
  return {
    status,
    ...(accepted ? {} : { error: `The endpoint responded with ${status}.` }),
    ...beginningOf(redactedOr({ ...ctx, workspaceId }, 'reply', answer.text(), '')),
    ...(asked === undefined ? {} : { retryAfter: asked / 1000 })
  }
}

/**
 * Takes a delivery for one attempt, in one statement that judges what is committed: of two jobs one gets it. Undefined: it is
 * done, somebody sends it just now, or another message of its session comes first.
 */
async function claim(ctx: Ctx, deliveryId: string): Promise<Sendable | undefined> {
  const [row] = await ctx.sql<Sendable[]>`
    update deliveries d set claimed_until = clock_timestamp() + make_interval(secs => ${claimSeconds})
    where id = ${deliveryId} and state = 'pending' and coalesce(claimed_until, '-infinity') < clock_timestamp()
      and not (kind = 'message' and exists (
        select from deliveries b where b.session_key = d.session_key and b.kind = 'message' and b.state = 'pending'
          and b.created_at < d.created_at))
    returning ${deliveryColumns(ctx.sql)}, body, workspace_id,
      (select agent_id from sessions where key = d.session_key) as agent_id,
      kind <> 'call.opened' or exists (
        select from calls c where c.session_key = d.session_key and c.tool_call_id = d.tool_call_id and c.state = 'open')
        as wanted`
  return row
}

/** Whoever sends it just now may have died over it: when an attempt's time is surely over, somebody looks again. */
async function lookAgain(ctx: Ctx, deliveryId: string): Promise<void> {
  const [held] = await ctx.sql<{ seconds: number }[]>`
    select extract(epoch from claimed_until - clock_timestamp())::float8 as seconds from deliveries
    where id = ${deliveryId} and state = 'pending' and claimed_until > clock_timestamp()`
  if (held === undefined) return
  await enqueue(ctx, 'deliver', { deliveryId }, { key: `deliver:${deliveryId}`, inSeconds: held.seconds })
}

const beginningOf = (text: string) =>
  text.trim() === '' ? {} : { body: String(storable(text.slice(0, kept.characters).toWellFormed())) }

type Outcome = {
  attempt?: DeliveryAttempt
  reason?: MessageDelivery['reason']
  inSeconds?: number | undefined
}

/**
 * What has become of a delivery, in its row, in its session's log and on the message that it carries; with `inSeconds`, the job
 * that tries again then.
 */
async function write(
  ctx: Ctx,
  { id, sessionKey }: DeliveryRow,
  state: DeliveryRow['state'],
  { attempt, reason, inSeconds }: Outcome = {}
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, sessionKey)
    const [written] = await tx.sql<DeliveryRow[]>`
      update deliveries set attempts = ${attemptsWith(tx, attempt)},
        next_at = clock_timestamp() + make_interval(secs => ${inSeconds ?? null}), claimed_until = null, state = ${state}
      where id = ${id} and state = 'pending'
      returning ${deliveryColumns(tx.sql)}`
    if (written === undefined) return
    const wire = wireDelivery(written)
    // Who follows a session has no use for what its workspace is told.
    if (head !== undefined && written.kind !== 'webhook')
      await append(tx, head, [{ type: 'delivery', delivery: wire }])
    if (head !== undefined && written.kind === 'message' && state !== 'withdrawn')
      await showOnMessage(tx, head, written.messageId, {
        state,
        ...(reason === undefined ? {} : { reason }),
        ...(attempt === undefined ? {} : { at: attempt.at }),
        ...(wire.nextAt === undefined ? {} : { nextAt: wire.nextAt })
      })
    if (inSeconds !== undefined)
      await enqueue(tx, 'deliver', { deliveryId: id }, { key: `deliver:${id}`, inSeconds })
    else if (written.kind === 'message') await ringNext(tx, sessionKey)
  })
}

/**
 * The attempts of a row with one more. Whoever may send may also send again, as often as they like: so only the last attempts
 * are kept, and of the last few what was answered.
 */
const attemptsWith = ({ sql }: Ctx, attempt: DeliveryAttempt | undefined) => sql`(
  select coalesce(jsonb_agg(case when later < ${kept.bodies} then one else one - 'body' end order by later desc), '[]')
  from (
    select one, row_number() over (order by place desc) - 1 as later
    from jsonb_array_elements(attempts || ${attempt === undefined ? [] : [attempt]}::jsonb)
      with ordinality as each (one, place)
  ) as counted
  where later < ${kept.attempts})`

/** A session's oldest message that is still to be sent is next. */
async function ringNext(tx: Ctx, sessionKey: number): Promise<void> {
  const [next] = await tx.sql<{ id: string }[]>`
    select id from deliveries where session_key = ${sessionKey} and kind = 'message' and state = 'pending'
    order by created_at limit 1`
  if (next !== undefined) await enqueue(tx, 'deliver', { deliveryId: next.id }, { key: `deliver:${next.id}` })
}

/** The net under the deliveries' jobs: rings for those that are pending and overdue by a minute, in case a job was lost. */
export async function ringPending(ctx: Ctx): Promise<void> {
  const late = await ctx.sql<{ id: string }[]>`
    select id from deliveries
    where state = 'pending' and coalesce(next_at, created_at) < clock_timestamp() - interval '1 minute'
    order by created_at limit 500`
  for (const { id } of late) await enqueue(ctx, 'deliver', { deliveryId: id }, { key: `deliver:${id}` })
}
