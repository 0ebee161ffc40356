import { AdaptiveDelay } from '@waystation/base/adaptive-delay.ts'
import { log } from '@waystation/base/log.ts'
import type { Chunk, ChunkEvent } from '@waystation/protocol/session/event.ts'
import postgres from 'postgres'
import { type Pool, storable } from '#db/client.ts'
import type { Notify } from '#lib/kernel/ctx.ts'
import { wireEvent } from './read-events.ts'
import type { Lease } from './session-lock.ts'
import { eventRow } from './unsaved.ts'

/** Chunks that wait to be written for one session under one lease. Their producer limits the size of a chunk. */
type Waiting = {
  lease: Lease
  events: ChunkEvent[]
  skipped: number
  onLost: () => void
  onCancel: (turnId: string) => void
}

/**
 * Writes the waiting chunks of all sessions in a process, one group per statement
 * (docs/concepts/engine.md#append-turn).
 *
 * - An idle process writes at once. Otherwise, the next group waits for the previous one. A busy process also
 *   delays it, so that fewer statements, events and frames carry the same text.
 * - A session whose head another transaction has locked is skipped. After three skips, it is written
 *   separately and waits for its lock.
 * - If another worker owns a session, or it is deleted, its lease is reported as lost.
 * - If the database rejects a group, each session is written separately, and only the faulty one fails.
 */
export class BatchWriter {
  readonly #sql: Pool
  readonly #notify: Notify
  readonly #delay: AdaptiveDelay
  readonly #waiting = new Map<number, Waiting>()
  readonly #inFlight = new Set<number>()
  /** Leases under which chunks can be missing in the log. Nothing more is written under them. */
  readonly #broken = new Set<string>()
  /** Sessions that wait for their lock in a separate write. Their other chunks wait meanwhile. */
  readonly #blockedWrites = new Map<number, Promise<void>>()
  #group: Promise<void> | undefined

  constructor(sql: Pool, notify: Notify, delay = new AdaptiveDelay()) {
    this.#sql = sql
    this.#notify = notify
    this.#delay = delay
  }

  /** Queues a chunk of a turn. Adjacent deltas of one part become one event. Never waits and never throws. */
  push(lease: Lease, event: ChunkEvent, notify: { onLost(): void; onCancel(turnId: string): void }): void {
    const waiting = this.#waiting.get(lease.sessionKey)
    if (this.#broken.has(leaseName(lease))) notify.onLost()
    else if (waiting !== undefined && isSameLease(waiting.lease, lease)) mergeInto(waiting.events, event)
    else if (waiting !== undefined && waiting.lease.epoch > lease.epoch) notify.onLost()
    else this.#waiting.set(lease.sessionKey, { lease, events: [event], skipped: 0, ...notify })
    this.#start()
  }

  /** Resolves when no chunk of this session is waiting or being written. */
  async settled(sessionKey: number): Promise<void> {
    while (this.#waiting.has(sessionKey) || this.#inFlight.has(sessionKey)) {
      this.#start()
      // The turn is waiting, so the write must not be delayed.
      this.#delay.flush()
      await (this.#blockedWrites.get(sessionKey) ?? this.#group)
    }
  }

  /**
   * Removes and returns the waiting chunks of a lease, once none of its session is being written. The commit of
   * a step writes them, which saves a write of their own.
   */
  async take(lease: Lease): Promise<readonly ChunkEvent[]> {
    const { sessionKey } = lease
    while (this.#inFlight.has(sessionKey)) await (this.#blockedWrites.get(sessionKey) ?? this.#group)
    const waiting = this.#waiting.get(sessionKey)
    this.#forget(lease)
    return waiting !== undefined && isSameLease(waiting.lease, lease) ? waiting.events : []
  }

  /** Discards the waiting chunks of a lease that has ended. Does not affect a newer lease of the same session. */
  drop(lease: Lease): void {
    this.#broken.delete(leaseName(lease))
    this.#forget(lease)
  }

  #forget(lease: Lease): void {
    const waiting = this.#waiting.get(lease.sessionKey)
    if (waiting !== undefined && isSameLease(waiting.lease, lease)) this.#waiting.delete(lease.sessionKey)
  }

  #start(): void {
    if (this.#group !== undefined || ![...this.#waiting.keys()].some(key => !this.#blockedWrites.has(key)))
      return
    // Chunks that arrive at the same time, from any session, join the group.
    this.#group = this.#delay
      .wait()
      .then(() => this.#writeGroup())
      .finally(() => {
        this.#group = undefined
        this.#start()
      })
  }

  async #writeGroup(): Promise<void> {
    const group = [...this.#waiting.values()].filter(
      ({ lease }) => !this.#blockedWrites.has(lease.sessionKey)
    )
    for (const { lease } of group) this.#waiting.delete(lease.sessionKey)
    for (const waiting of group.filter(({ skipped }) => skipped >= 3)) {
      const key = waiting.lease.sessionKey
      const writing = this.#write([waiting], true).finally(() => {
        this.#blockedWrites.delete(key)
        this.#start()
      })
      this.#blockedWrites.set(key, writing)
    }
    await this.#write(
      group.filter(({ skipped }) => skipped < 3),
      false
    )
  }

  async #write(group: Waiting[], blocking: boolean): Promise<void> {
    if (group.length === 0) return
    for (const waiting of group) {
      this.#inFlight.add(waiting.lease.sessionKey)
      // Readers must receive exactly the text that is stored.
      waiting.events = waiting.events.map(event => storable(event) as ChunkEvent)
    }
    try {
      const written = await writeChunks(this.#sql, group, blocking)
      const resultOf = new Map(written.map(result => [result.sessionKey, result]))
      for (const waiting of group) {
        const result = resultOf.get(waiting.lease.sessionKey)
        if (result === undefined && !blocking) this.#requeue(waiting)
        else if (result === undefined || !result.ours) waiting.onLost()
        else {
          this.#publish(result, waiting.events)
          if (result.cancelRequested !== null) waiting.onCancel(result.cancelRequested)
        }
      }
    } catch (error) {
      // If the database rejects the statement, nothing was written, and one session is at fault. After any
      // other error, it is unknown whether the group was written, and a second attempt could duplicate
      // chunks.
      const isRejected = error instanceof postgres.PostgresError
      if (isRejected && group.length > 1) for (const waiting of group) await this.#write([waiting], blocking)
      else
        for (const waiting of group) {
          if (isRejected && error.code === '55P03') this.#requeue(waiting)
          else this.#failLease(waiting, error)
        }
    } finally {
      for (const { lease } of group) this.#inFlight.delete(lease.sessionKey)
    }
  }

  #failLease({ lease, onLost }: Waiting, error: unknown): void {
    const { sessionKey } = lease
    log('error', 'A turn could not write its chunks. The turn ends and runs again.', { sessionKey, error })
    this.#broken.add(leaseName(lease))
    this.#forget(lease)
    onLost()
  }

  /** Publishes committed events, which have consecutive `seq` numbers. */
  #publish({ sessionKey, base, at }: Extract<Written, { ours: true }>, events: readonly ChunkEvent[]): void {
    const rows = events.map(({ type, ...payload }, i) =>
      wireEvent({ sessionKey, seq: base + i + 1, type, payload, at })
    )
    this.#notify(sessionKey, rows)
  }

  /** Puts skipped chunks back, ahead of chunks that arrived meanwhile. */
  #requeue(waiting: Waiting): void {
    const later = this.#waiting.get(waiting.lease.sessionKey)
    if (later !== undefined && !isSameLease(later.lease, waiting.lease)) return
    const events = [...waiting.events]
    for (const event of later?.events ?? []) mergeInto(events, event)
    this.#waiting.set(waiting.lease.sessionKey, { ...waiting, events, skipped: waiting.skipped + 1 })
  }
}

const leaseName = ({ sessionKey, epoch, workerId }: Lease) => `${sessionKey} ${epoch} ${workerId}`
const isSameLease = (a: Lease, b: Lease) => a.epoch === b.epoch && a.workerId === b.workerId

/**
 * The result for one session. `base` is the `seq` before its first event, and `at` is the time of all its
 * events. `ours` is false if the lease was lost.
 */
type Written = { sessionKey: number; cancelRequested: string | null } & (
  | { ours: true; base: number; at: string }
  | { ours: false }
)

/**
 * Writes a group in one statement: locks the available heads in key order, advances the `seq` of each head
 * with a valid lease, and inserts its events.
 */
async function writeChunks(sql: Pool, group: Waiting[], blocking: boolean): Promise<Written[]> {
  const heads = group.map(({ lease, events }) => ({
    k: lease.sessionKey,
    e: lease.epoch,
    o: lease.workerId,
    n: events.length
  }))
  const rows = group.flatMap(({ lease, events }) =>
    events.map((event, i) => ({ k: lease.sessionKey, ...eventRow(event, i + 1) }))
  )
  return sql<Written[]>`
    with input as materialized (
      select * from json_to_recordset(${heads}::json) as i(k bigint, e int, o text, n int)
    ), locked as materialized (
      select h.session_key, h.epoch, h.owner, h.cancel_requested from heads h
      where h.session_key in (select k from input)
      order by h.session_key for no key update ${blocking ? sql`` : sql`skip locked`}
    ), judged as materialized (
      select i.k, i.n, l.epoch = i.e and l.owner is not distinct from i.o as ours, l.cancel_requested
      from locked l join input i on i.k = l.session_key
    ), moved as (
      update heads h set seq = h.seq + j.n from judged j
      where j.ours and h.session_key = j.k returning h.session_key, h.seq - j.n as base, clock_timestamp() as at
    ), written as (
      insert into events (session_key, seq, type, message_id, turn_id, payload, at)
      select m.session_key, m.base + e.n, e.type, e.message_id, e.turn_id, e.payload, m.at
      from moved m join json_to_recordset(${rows}::json)
        as e(k bigint, n int, type text, message_id text, turn_id text, payload json) on e.k = m.session_key
    )
    select j.k as session_key, j.ours, j.cancel_requested, m.base, m.at
    from judged j left join moved m on m.session_key = j.k`
}

/**
 * Appends an event, or merges it into the last one if both are deltas of the same part. Fewer events are
 * cheaper to write, send and fold.
 */
export function mergeInto(events: ChunkEvent[], event: ChunkEvent): void {
  const last = events.at(-1)
  const merged =
    last !== undefined && last.messageId === event.messageId
      ? mergeDeltas(last.chunk, event.chunk)
      : undefined
  if (merged === undefined) events.push(event)
  else events[events.length - 1] = { ...event, chunk: merged }
}

function mergeDeltas(a: Chunk, b: Chunk): Chunk | undefined {
  if ((a.type === 'text-delta' || a.type === 'reasoning-delta') && b.type === a.type && a.id === b.id)
    return { ...b, delta: a.delta + b.delta }
  if (a.type === 'tool-input-delta' && b.type === 'tool-input-delta' && a.toolCallId === b.toolCallId)
    return { ...b, inputTextDelta: a.inputTextDelta + b.inputTextDelta }
  return undefined
}
