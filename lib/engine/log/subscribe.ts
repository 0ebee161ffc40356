import type { Pool } from '#db/client.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import { log } from '#lib/kernel/log.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { type EventRow, eventsAfter, isReadable, wireEvent } from './read-events.ts'

/** What a reader is told: events in order; `reset` when what it would need is gone; the end when it fell too far behind. */
export type StreamItem = SessionEvent | 'reset'

/** A reader with this many events waiting is dropped; it reconnects and reads them from the database. */
const maxWaiting = 2_000
const page = 500

type Reader = { cursor: number; waiting: StreamItem[]; wake: () => void; ended: boolean }
type Followed = { cursor: number; readers: Set<Reader>; ready: Promise<void> }

/**
 * One reader per process that tails the database for all followed sessions and fans out in memory (docs/concepts/engine.md#events). A ring
 * only marks a session; what is new is read for all marked ones in one statement. What this process wrote itself it is
 * offered, and need not read.
 */
export class Subscriber {
  readonly #sql: Pool
  readonly #followed = new Map<number, Followed>()
  readonly #marked = new Set<number>()
  readonly #hush: () => void
  readonly #timer: NodeJS.Timeout
  #reading = false
  /** The session whose ring is for others: what it rings for was told here. */
  #known: number | undefined

  constructor(sql: Pool, bus: PubSub, { tailPollMs }: Pick<Timing, 'tailPollMs'> = defaultTiming) {
    this.#sql = sql
    this.#hush = bus.subscribe(key => {
      if (key === null) this.#mark([...this.#followed.keys()])
      else if (key !== this.#known) this.#mark([key])
    })
    this.#timer = setInterval(() => void this.#look(), tailPollMs)
  }

  /**
   * Takes events that this process has written: **committed** events of one session, with consecutive seqs. If the first
   * one follows the last event that readers got, they get these at once, without a read from the database. Otherwise (another
   * process wrote in between, or nobody follows yet) they are dropped, and the ring has them read like any others. So an offer may
   * come late, twice or not at all.
   *
   * @param ring notifies other readers. Called exactly once. If the events were given to the readers here, the ring is not
   *   heard here.
   */
  offer = (sessionKey: number, events: readonly SessionEvent[], ring: () => void): void => {
    const followed = this.#followed.get(sessionKey)
    if (followed !== undefined && events[0]?.seq === followed.cursor + 1) {
      this.#known = sessionKey
      for (const event of events) {
        followed.cursor = event.seq
        for (const reader of followed.readers) tell(reader, event)
      }
    }
    try {
      ring()
    } finally {
      this.#known = undefined
    }
  }

  /**
   * The events of a session after a cursor, then as they happen, until the signal aborts. Listens first, reads past the
   * cursor, then waits: nothing that happens meanwhile is missed, and nothing comes twice.
   */
  async *follow(sessionKey: number, after: number, signal: AbortSignal): AsyncGenerator<StreamItem, void> {
    const reader: Reader = { cursor: after, waiting: [], wake: () => {}, ended: false }
    const wake = () => reader.wake()
    signal.addEventListener('abort', wake, { once: true })
    try {
      await this.#join(sessionKey, reader)
      if (!(await isReadable(this.#sql, sessionKey, after))) yield 'reset'
      else {
        for (;;) {
          const rows = await eventsAfter(this.#sql, sessionKey, reader.cursor, page)
          for (const row of rows) {
            if (signal.aborted) return
            reader.cursor = row.seq
            yield wireEvent(row)
          }
          if (rows.length < page) break
        }
      }
      await failpoint('between_replay_and_live')
      while (!signal.aborted) {
        const told = reader.waiting.shift()
        if (told === undefined) {
          if (reader.ended) return
          await new Promise<void>(resolve => {
            reader.wake = resolve
            if (reader.waiting.length > 0 || signal.aborted || reader.ended) resolve()
          })
        } else if (told === 'reset') yield told
        else if (told.seq > reader.cursor) {
          reader.cursor = told.seq
          yield told
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#leave(sessionKey, reader)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#hush()
    this.#marked.clear()
    for (const { readers } of this.#followed.values()) for (const reader of readers) end(reader)
  }

  async #join(sessionKey: number, reader: Reader): Promise<void> {
    const followed = this.#followed.get(sessionKey) ?? this.#begin(sessionKey)
    followed.readers.add(reader)
    // Also who joins second waits for it: what is told begins behind this seq, and a reader must have read up to it.
    await followed.ready
  }

  #begin(sessionKey: number): Followed {
    const followed: Followed = {
      cursor: Number.MAX_SAFE_INTEGER,
      readers: new Set(),
      ready: Promise.resolve()
    }
    followed.ready = this.#sql<
      { seq: number }[]
    >`select seq from heads where session_key = ${sessionKey}`.then(([head]) => {
      followed.cursor = head?.seq ?? 0
    })
    this.#followed.set(sessionKey, followed)
    return followed
  }

  #leave(sessionKey: number, reader: Reader): void {
    const followed = this.#followed.get(sessionKey)
    followed?.readers.delete(reader)
    if (followed?.readers.size === 0) this.#followed.delete(sessionKey)
  }

  #mark(keys: readonly number[]): void {
    for (const key of keys) if (this.#followed.has(key)) this.#marked.add(key)
    if (this.#reading || this.#marked.size === 0) return
    this.#reading = true
    // One group of chunks rings for many sessions at a stroke: they are read together.
    setImmediate(() => this.#read())
  }

  async #read(): Promise<void> {
    try {
      while (this.#marked.size > 0) {
        const marked = [...this.#marked].flatMap(key => {
          const followed = this.#followed.get(key)
          return followed === undefined ? [] : [{ key, followed }]
        })
        this.#marked.clear()
        const rows = await this.#sql<(EventRow & { floor: number })[]>`
          select e.session_key, e.seq, e.type, e.payload, e.at, s.floor
          from json_to_recordset(${marked.map(({ key, followed }) => ({ k: key, c: followed.cursor }))}::json)
            as f(k bigint, c bigint) join sessions s on s.key = f.k
          cross join lateral (
            select * from events where session_key = f.k and seq > f.c order by seq limit ${page}) e
          order by e.session_key, e.seq`
        this.#tell(marked, rows)
      }
    } catch (error) {
      log('warn', 'New events could not be read. Followers retry within a second.', { error })
    } finally {
      this.#reading = false
    }
  }

  #tell(
    marked: readonly { key: number; followed: Followed }[],
    rows: readonly (EventRow & { floor: number })[]
  ): void {
    const followedOf = new Map(marked.map(({ key, followed }) => [key, followed]))
    const read = new Map<number, number>()
    for (const row of rows) {
      read.set(row.sessionKey, (read.get(row.sessionKey) ?? 0) + 1)
      const followed = followedOf.get(row.sessionKey)
      if (followed === undefined || row.seq <= followed.cursor) continue
      if (row.floor > followed.cursor) {
        // Another life of this ID began since: what these readers have is not what these events go on from.
        followed.cursor = row.seq
        for (const reader of followed.readers) tell(reader, 'reset')
        continue
      }
      followed.cursor = row.seq
      const event = wireEvent(row)
      for (const reader of followed.readers) tell(reader, event)
    }
    for (const [key, count] of read) if (count === page) this.#marked.add(key)
  }

  /** Looks at all followed heads: a lost ring costs a second, a deleted or revived session is noticed. */
  async #look(): Promise<void> {
    if (this.#followed.size === 0) return
    try {
      const heads = await this.#sql<{ key: number; seq: number; floor: number; gone: boolean }[]>`
        select h.session_key as key, h.seq, s.floor, s.deleted_at is not null as gone
        from heads h join sessions s on s.key = h.session_key where h.session_key = any(${[...this.#followed.keys()]})`
      for (const { key, seq, floor, gone } of heads) {
        const followed = this.#followed.get(key)
        if (followed === undefined) continue
        if (gone) for (const reader of followed.readers) end(reader)
        else if (floor > followed.cursor) {
          followed.cursor = seq
          for (const reader of followed.readers) tell(reader, 'reset')
        } else if (seq > followed.cursor) this.#mark([key])
      }
    } catch (error) {
      log('warn', 'The followed sessions could not be checked. The server retries in a second.', { error })
    }
  }
}

function tell(reader: Reader, told: StreamItem): void {
  if (reader.ended) return
  if (reader.waiting.length >= maxWaiting) end(reader)
  else reader.waiting.push(told)
  reader.wake()
}

function end(reader: Reader): void {
  reader.ended = true
  reader.wake()
}
