import { together } from '#db/transaction.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { OobMetadata, OobPriority, OobSource } from '#lib/protocol/out-of-band/out-of-band.ts'

/** How many may wait in a session (004-14): for the agent, for somebody's yes, and for the agent when it is critical or a
 * person's own, which no crowd shuts out. */
const mostWaiting = { visible: 50, held: 50, pressing: 70 }

/** What is to be told to the agent, judged already; `received`: when it came to us, on this process's clock that only runs
 * (`performance.now()`): for how long is known, the time is the database's. */
export type Accepted = {
  source: OobSource
  sourceId: string
  priority: OobPriority
  content: string
  metadata: OobMetadata
  status: 'visible' | 'held'
  /** Seconds from when it came until it expires; null: it does not. */
  ttlSeconds: number | null
  received: number
  /** Who sent it; an agent has a relay instead. */
  sender?: Identity | undefined
  relay?: Relay | undefined
}

/** The session of the agent that sends it, those through which its news came (itself last), and by how many hops. */
export type Relay = { key: number; chain: readonly number[]; hops: number }

/**
 * Takes out-of-band input in: stored and shown in one transaction with what brings it to the agent. From its commit on it is
 * visible to readers. `ahead`: how many are told before it. Past the limits: `429 RATE_LIMITED`. The head is locked.
 */
export async function acceptOob(
  tx: Ctx,
  head: LockedSession,
  input: Accepted
): Promise<{ row: OobRow; ahead: number }> {
  const { source, sourceId, priority, content, metadata, status, ttlSeconds, received, sender, relay } = input
  if (relay?.chain.includes(head.sessionKey))
    throw new Refusal('CONFLICT', 'This message came from that session, so it is not sent back.')
  const ahead = await countAhead(tx, head, input)
  const id = newId('oob')
  const [row] = await tx.sql<OobRow[]>`
    insert into out_of_band (id, session_key, source, source_id, priority, content, metadata, status, sender, from_key, chain, hops,
      queued_at, visible_at, expires_at)
    values (${id}, ${head.sessionKey}, ${source}, ${sourceId}, ${priority}, ${content}, ${metadata}::jsonb,
      ${status}, ${sender ?? null}::jsonb, ${relay?.key ?? null},
      ${relay?.chain ?? []}::jsonb, ${relay?.hops ?? 0},
      clock_timestamp() - make_interval(secs => ${(performance.now() - received) / 1000}),
      ${status === 'held' ? null : tx.sql`clock_timestamp()`},
      clock_timestamp() + make_interval(secs => ${ttlSeconds}))
    returning ${oobColumns(tx.sql)}`
  if (row === undefined) throw new Error('The out-of-band message was not stored.')
  await together([
    append(tx, head, [{ type: 'oob', message: wireOob(row) }]),
    tx.sql`update sessions set active_at = clock_timestamp() where key = ${head.sessionKey}`
  ])
  return { row, ahead }
}

/** How many will be told before it. Where too many wait already: `429 RATE_LIMITED`. */
async function countAhead(
  tx: Ctx,
  head: LockedSession,
  { priority, source, status }: Pick<Accepted, 'priority' | 'source' | 'status'>
): Promise<number> {
  const order = tx.sql`array['critical', 'high', 'normal', 'low']`
  const [found] = await tx.sql<{ waiting: number; ahead: number }[]>`
    select count(*) filter (where status = ${status})::int as waiting,
      count(*) filter (where status = 'visible' and array_position(${order}, priority) <= array_position(${order}, ${priority}::text))::int as ahead
    from out_of_band where session_key = ${head.sessionKey} and status in ('visible', 'held')`
  const { waiting = 0, ahead = 0 } = found ?? {}
  const pressing = status === 'visible' && (priority === 'critical' || source === 'user')
  const most = mostWaiting[pressing ? 'pressing' : status]
  if (waiting < most) return ahead
  throw new Refusal(
    'RATE_LIMITED',
    status === 'held'
      ? `${most} out-of-band messages already wait for approval in this session. Approve or remove some of them first.`
      : `${most} out-of-band messages are already pending in this session. Remove some of them, or wait until the agent has received them.`,
    { retryAfter: 60 }
  )
}
