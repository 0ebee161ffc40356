import { ApiError } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { OobMetadata, OobPriority, OobSource } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append, change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'
import { announceHeld } from './announce-held.ts'
import type { SessionOobSettings } from './read-settings.ts'

/**
 * A message that has passed the session's policy. `received` is the time of its arrival on this process's
 * monotonic clock (`performance.now()`). It serves only to compute its age: stored times are the database's.
 */
export type AcceptedOob = {
  source: OobSource
  sourceId: string
  priority: OobPriority
  content: string
  metadata: OobMetadata
  status: 'visible' | 'held'
  /** Seconds from arrival until it expires, or null if it does not expire. */
  ttlSeconds: number | null
  received: number
  /** The maximum numbers of pending messages in the session (004-14). */
  pending: SessionOobSettings['pending']
  /** The sender, unless an agent sent it, which has a relay instead. */
  sender?: Identity | undefined
  relay?: Relay | undefined
}

/**
 * How an agent's message got here: the sending agent's session, the sessions that relayed its content (sender
 * last), and the number of hops.
 */
export type Relay = { key: number; chain: readonly number[]; hops: number }

/**
 * Stores an out-of-band message and appends it to the session's log. Readers see it from the commit on.
 * `ahead` is the number of messages that the agent receives before it. Throws `RATE_LIMITED` if too many
 * messages are pending, and `CONFLICT` if the message came from this session. The caller holds the session's
 * lock.
 */
export async function storeOob(
  tx: Ctx,
  session: LockedSession,
  input: AcceptedOob
): Promise<{ row: OobRow; ahead: number }> {
  const { source, sourceId, priority, content, metadata, status, ttlSeconds, received, sender, relay } = input
  if (relay?.chain.includes(session.sessionKey))
    throw new ApiError('CONFLICT', 'This message came from that session, so it is not sent back.')
  const ahead = await countAhead(tx, session, input)
  const id = newId('oob')
  const [row] = await tx.sql<OobRow[]>`
    insert into out_of_band (id, session_key, source, source_id, priority, content, metadata, status, sender, from_key, chain, hops,
      queued_at, visible_at, expires_at)
    values (${id}, ${session.sessionKey}, ${source}, ${sourceId}, ${priority}, ${content}, ${metadata}::jsonb,
      ${status}, ${sender ?? null}::jsonb, ${relay?.key ?? null},
      ${relay?.chain ?? []}::jsonb, ${relay?.hops ?? 0},
      clock_timestamp() - make_interval(secs => ${(performance.now() - received) / 1000}),
      ${status === 'held' ? null : tx.sql`clock_timestamp()`},
      clock_timestamp() + make_interval(secs => ${ttlSeconds}))
    returning ${oobColumns(tx.sql)}`
  if (row === undefined) throw new Error('The out-of-band message was not stored.')
  const message = wireOob(row)
  append(tx, session, [{ type: 'oob', message }])
  change(tx, session, { isActive: true })
  if (status === 'held') await announceHeld(tx, session, row)
  tx.afterCommit(() => {
    observer().outOfBand('accepted', [message])
    if (status === 'held') observer().outOfBand('held', [message])
  })
  return { row, ahead }
}

/** Returns how many messages the agent receives first. Throws `RATE_LIMITED` if too many are pending. */
async function countAhead(
  tx: Ctx,
  session: LockedSession,
  { priority, source, status, pending }: Pick<AcceptedOob, 'priority' | 'source' | 'status' | 'pending'>
): Promise<number> {
  const order = tx.sql`array['critical', 'high', 'normal', 'low']`
  const [counts] = await tx.sql<{ waiting: number; ahead: number }[]>`
    select count(*) filter (where status = ${status})::int as waiting,
      count(*) filter (where status = 'visible' and array_position(${order}, priority) <= array_position(${order}, ${priority}::text))::int as ahead
    from out_of_band where session_key = ${session.sessionKey} and status in ('visible', 'held')`
  const { waiting = 0, ahead = 0 } = counts ?? {}
  const isUrgent = status === 'visible' && (priority === 'critical' || source === 'user')
  const limit = pending[isUrgent ? 'urgent' : status]
  if (waiting < limit) return ahead
  throw new ApiError(
    'RATE_LIMITED',
    status === 'held'
      ? `${limit} out-of-band messages already wait for approval in this session. Approve or remove some of them first.`
      : `${limit} out-of-band messages are already pending in this session. Remove some of them, or wait until the agent has received them.`,
    { retryAfter: 60 }
  )
}
