import postgres from 'postgres'
import { type Pool, storable } from '#db/client.ts'
import { AdaptiveDelay } from '#lib/kernel/adaptive-delay.ts'
import { log } from '#lib/kernel/log.ts'
import type { Chunk, ChunkEvent, SessionEvent } from '#lib/protocol/session/event.ts'
import { row } from './append.ts'
import { wireEvent } from './read-events.ts'
import type { Lease } from './session-lock.ts'

/** What waits to be written for one session under one lease. How large a chunk may be is its producer's to see to. */
type Waiting = {
  lease: Lease
  events: ChunkEvent[]
  skipped: number
  onLost: () => void
  onCancel: (turnId: string) => void
}

/**
 * Passes written events on: to the readers of this process, and with a notification to other processes. `offer` is the
 * subscriber's (its contract is in `subscribe.ts`). Without it, all readers are notified and read from Postgres.
 */
export type Publisher = {
  notify: (sessionKey: number) => void
  publish?: (sessionKey: number, events: readonly SessionEvent[], ring: () => void) => void
}

/**
 * The waiting chunks of all sessions of a process, written in one statement a group (docs/concepts/engine.md#append-turn):
 * at once when idle, else when the last group is done, and under load after a breath, so that fewer statements, events and
 * frames carry the same words. A head that somebody else holds is skipped and waits for the
 * next group; after three it goes alone and waits for its lock. A session that another worker has, or that is gone, is
 * reported lost; one
 * that cannot be written (a broken row) is tried alone and fails alone.
 */
export class BatchWriter {
  readonly #sql: Pool
  readonly #told: Publisher
  readonly #breath: AdaptiveDelay
  readonly #waiting = new Map<number, Waiting>()
  readonly #inFlight = new Set<number>()
  /** Leases under which something may be missing in the log: nothing more is written under them. */
  readonly #broken = new Set<string>()
  /** Stalled sessions that wait for their lock by themselves: nothing else of them is written meanwhile. */
  readonly #alone = new Map<number, Promise<void>>()
  #group: Promise<void> | undefined

  constructor(sql: Pool, told: Publisher, breath = new AdaptiveDelay()) {
    this.#sql = sql
    this.#told = told
    this.#breath = breath
  }

  /** Takes a turn's chunk. Adjacent deltas of one part become one event. Never waits, never throws. */
  push(lease: Lease, event: ChunkEvent, notify: { onLost(): void; onCancel(turnId: string): void }): void {
    const waiting = this.#waiting.get(lease.sessionKey)
    if (this.#broken.has(nameOf(lease))) notify.onLost()
    else if (waiting !== undefined && isSame(waiting.lease, lease)) mergeInto(waiting.events, event)
    else if (waiting !== undefined && waiting.lease.epoch > lease.epoch) notify.onLost()
    else this.#waiting.set(lease.sessionKey, { lease, events: [event], skipped: 0, ...notify })
    this.#start()
  }

  /** Resolves when nothing of this session is waiting or being written: what a turn does before it commits a step. */
  async settled(sessionKey: number): Promise<void> {
    while (this.#waiting.has(sessionKey) || this.#inFlight.has(sessionKey)) {
      this.#start()
      // A step waits to be committed, and its answer to be given: no breath for that.
      this.#breath.flush()
      await (this.#alone.get(sessionKey) ?? this.#group)
    }
  }

  /** Forgets what still waits under a lease that is over. A newer lease of the same session is not touched. */
  drop(lease: Lease): void {
    this.#broken.delete(nameOf(lease))
    this.#forget(lease)
  }

  #forget(lease: Lease): void {
    const waiting = this.#waiting.get(lease.sessionKey)
    if (waiting !== undefined && isSame(waiting.lease, lease)) this.#waiting.delete(lease.sessionKey)
  }

  #start(): void {
    if (this.#group !== undefined || ![...this.#waiting.keys()].some(key => !this.#alone.has(key))) return
    // What comes in the same moment (of other sessions, or the next chunk of this one) goes along.
    this.#group = this.#breath
      .wait()
      .then(() => this.#writeGroup())
      .finally(() => {
        this.#group = undefined
        this.#start()
      })
  }

  async #writeGroup(): Promise<void> {
    const group = [...this.#waiting.values()].filter(({ lease }) => !this.#alone.has(lease.sessionKey))
    for (const { lease } of group) this.#waiting.delete(lease.sessionKey)
    for (const waiting of group.filter(({ skipped }) => skipped >= 3)) {
      const key = waiting.lease.sessionKey
      const writing = this.#write([waiting], true).finally(() => {
        this.#alone.delete(key)
        this.#start()
      })
      this.#alone.set(key, writing)
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
      // What is told is what is stored.
      waiting.events = waiting.events.map(event => storable(event) as ChunkEvent)
    }
    try {
      const written = await writeChunks(this.#sql, group, blocking)
      const headOf = new Map(written.map(head => [head.sessionKey, head]))
      for (const waiting of group) {
        const head = headOf.get(waiting.lease.sessionKey)
        if (head === undefined && !blocking) this.#again(waiting)
        else if (head === undefined || !head.ours) waiting.onLost()
        else {
          this.#tell(head, waiting.events)
          if (head.cancelRequested !== null) waiting.onCancel(head.cancelRequested)
        }
      }
    } catch (error) {
      // A refusal of the database is about one of them, and nothing was written. Anything else leaves unknown what was: to
      // write it again could be to say it twice.
      const isRefused = error instanceof postgres.PostgresError
      if (isRefused && group.length > 1) for (const waiting of group) await this.#write([waiting], blocking)
      else
        for (const waiting of group) {
          if (isRefused && error.code === '55P03') this.#again(waiting)
          else this.#lose(waiting, error)
        }
    } finally {
      for (const { lease } of group) this.#inFlight.delete(lease.sessionKey)
    }
  }

  #lose({ lease, onLost }: Waiting, error: unknown): void {
    const { sessionKey } = lease
    log('error', 'A turn could not write its chunks. The turn ends and runs again.', {
      sessionKey,
      error
    })
    this.#broken.add(nameOf(lease))
    this.#forget(lease)
    onLost()
  }

  /** They are committed, with consecutive seqs. */
  #tell({ sessionKey, base, at }: Extract<Written, { ours: true }>, events: readonly ChunkEvent[]): void {
    const { notify: ring, publish: offer } = this.#told
    const rows = events.map(({ type, ...payload }, i) =>
      wireEvent({ sessionKey, seq: base + i + 1, type, payload, at })
    )
    if (offer === undefined) ring(sessionKey)
    else offer(sessionKey, rows, () => ring(sessionKey))
  }

  /** Puts skipped chunks back, before whatever came meanwhile. */
  #again(waiting: Waiting): void {
    const later = this.#waiting.get(waiting.lease.sessionKey)
    if (later !== undefined && !isSame(later.lease, waiting.lease)) return
    const events = [...waiting.events]
    for (const event of later?.events ?? []) mergeInto(events, event)
    this.#waiting.set(waiting.lease.sessionKey, { ...waiting, events, skipped: waiting.skipped + 1 })
  }
}

const nameOf = ({ sessionKey, epoch, workerId }: Lease) => `${sessionKey} ${epoch} ${workerId}`
const isSame = (a: Lease, b: Lease) => a.epoch === b.epoch && a.workerId === b.workerId

/** `base`: the seq before its events; `at`: the time of all of them. */
type Written = { sessionKey: number; cancelRequested: string | null } & (
  | { ours: true; base: number; at: string }
  | { ours: false }
)

/** One statement: lock what can be had in key order, move each head that is still ours, insert its events. */
async function writeChunks(sql: Pool, group: Waiting[], blocking: boolean): Promise<Written[]> {
  const heads = group.map(({ lease, events }) => ({
    k: lease.sessionKey,
    e: lease.epoch,
    o: lease.workerId,
    n: events.length
  }))
  const rows = group.flatMap(({ lease, events }) =>
    events.map((event, i) => ({ k: lease.sessionKey, ...row(event, i + 1) }))
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

/** Deltas of the same part are one event: what is written and sent is fewer and the fold is cheaper. */
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
