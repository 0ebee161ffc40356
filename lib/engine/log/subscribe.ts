import { log } from '@waystation/base/log.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { Pool } from '#db/client.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Notify } from '#lib/kernel/ctx.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { type EventRow, eventsAfter, isReadable, wireEvent } from './read-events.ts'

/**
 * An item that a reader receives: an event, in order, or `reset` if the events after its cursor are gone. The
 * stream ends if the reader falls too far behind.
 */
export type StreamItem = SessionEvent | 'reset'

/**
 * Maximum number of events that can wait for a reader. Beyond it, the reader is disconnected and reads from
 * the database after it reconnects.
 */
const maxWaiting = 2_000
const pageSize = 500

type Reader = { cursor: number; waiting: StreamItem[]; wake: () => void; ended: boolean }
type FollowedSession = { cursor: number; readers: Set<Reader>; ready: Promise<void> }

/**
 * Reads new events of all followed sessions, once per process, and delivers them to the readers in memory
 * (docs/concepts/engine.md#events). A notification only marks a session as changed. One statement then reads
 * the new events of all changed sessions. Events that this process wrote arrive through `notify` without
 * a read.
 */
export class Subscriber {
  readonly #sql: Pool
  readonly #pubsub: PubSub
  readonly #followed = new Map<number, FollowedSession>()
  readonly #changed = new Set<number>()
  readonly #unlisten: () => void
  readonly #timer: NodeJS.Timeout
  #reading = false
  /** The session whose events `notify` has just delivered. Its notification is ignored in this process. */
  #delivered: number | undefined

  constructor(sql: Pool, pubsub: PubSub, { tailPollMs }: Pick<Timing, 'tailPollMs'> = defaultTiming) {
    this.#sql = sql
    this.#pubsub = pubsub
    this.#unlisten = pubsub.subscribe(key => {
      if (key === null) this.#markChanged([...this.#followed.keys()])
      else if (key !== this.#delivered) this.#markChanged([key])
    })
    this.#timer = setInterval(() => void this.#poll(), tailPollMs)
  }

  /**
   * Notifies the readers of a session, in this process and in others. `events` are **committed** events that this
   * process wrote, with consecutive `seq` numbers. If the first one follows the last delivered event, readers in this
   * process get them at once, without a read from the database.
   *
   * Otherwise, another process wrote in between, or the session has no readers yet. The events are then dropped, and
   * the notification makes the readers fetch them. Events can therefore come late, twice or not at all.
   */
  notify: Notify = (sessionKey, events = []) => {
    const followed = this.#followed.get(sessionKey)
    if (followed !== undefined && events[0]?.seq === followed.cursor + 1) {
      this.#delivered = sessionKey
      for (const event of events) {
        followed.cursor = event.seq
        for (const reader of followed.readers) deliver(reader, event)
      }
    }
    try {
      this.#pubsub.publish(sessionKey)
    } finally {
      this.#delivered = undefined
    }
  }

  /**
   * Yields a session's events after a cursor, then new events as they happen, until the signal aborts.
   * Listens first, reads past the cursor, then waits, so no event is missed or repeated.
   */
  async *follow(sessionKey: number, after: number, signal: AbortSignal): AsyncGenerator<StreamItem, void> {
    const reader: Reader = { cursor: after, waiting: [], wake: () => {}, ended: false }
    const wake = () => reader.wake()
    signal.addEventListener('abort', wake, { once: true })
    try {
      await this.#addReader(sessionKey, reader)
      if (!(await isReadable(this.#sql, sessionKey, after))) yield 'reset'
      else {
        for (;;) {
          const rows = await eventsAfter(this.#sql, sessionKey, reader.cursor, pageSize)
          for (const row of rows) {
            if (signal.aborted) return
            reader.cursor = row.seq
            yield wireEvent(row)
          }
          if (rows.length < pageSize) break
        }
      }
      await failpoint('between_replay_and_live')
      while (!signal.aborted) {
        const item = reader.waiting.shift()
        if (item === undefined) {
          if (reader.ended) return
          await new Promise<void>(resolve => {
            reader.wake = resolve
            if (reader.waiting.length > 0 || signal.aborted || reader.ended) resolve()
          })
        } else if (item === 'reset') yield item
        else if (item.seq > reader.cursor) {
          reader.cursor = item.seq
          yield item
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#removeReader(sessionKey, reader)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#unlisten()
    this.#changed.clear()
    for (const { readers } of this.#followed.values()) for (const reader of readers) disconnect(reader)
  }

  async #addReader(sessionKey: number, reader: Reader): Promise<void> {
    const followed = this.#followed.get(sessionKey) ?? this.#open(sessionKey)
    followed.readers.add(reader)
    // Every reader waits for this, including later ones: delivery starts after this `seq`, so a reader must
    // first read up to it.
    await followed.ready
  }

  #open(sessionKey: number): FollowedSession {
    const followed: FollowedSession = {
      cursor: Number.MAX_SAFE_INTEGER,
      readers: new Set(),
      ready: Promise.resolve()
    }
    followed.ready = this.#sql<
      { seq: number }[]
    >`select seq from heads where session_key = ${sessionKey}`.then(([row]) => {
      followed.cursor = row?.seq ?? 0
    })
    this.#followed.set(sessionKey, followed)
    return followed
  }

  #removeReader(sessionKey: number, reader: Reader): void {
    const followed = this.#followed.get(sessionKey)
    followed?.readers.delete(reader)
    if (followed?.readers.size === 0) this.#followed.delete(sessionKey)
  }

  #markChanged(keys: readonly number[]): void {
    for (const key of keys) if (this.#followed.has(key)) this.#changed.add(key)
    if (this.#reading || this.#changed.size === 0) return
    this.#reading = true
    // A group of chunks notifies many sessions at the same time, which are read together.
    setImmediate(() => this.#read())
  }

  async #read(): Promise<void> {
    try {
      while (this.#changed.size > 0) {
        const marked = [...this.#changed].flatMap(key => {
          const followed = this.#followed.get(key)
          return followed === undefined ? [] : [{ key, followed }]
        })
        this.#changed.clear()
        const rows = await this.#sql<(EventRow & { floor: number })[]>`
          select e.session_key, e.seq, e.type, e.payload, e.at, s.floor
          from json_to_recordset(${marked.map(({ key, followed }) => ({ k: key, c: followed.cursor }))}::json)
            as f(k bigint, c bigint) join sessions s on s.key = f.k
          cross join lateral (
            select * from events where session_key = f.k and seq > f.c order by seq limit ${pageSize}) e
          order by e.session_key, e.seq`
        this.#fanOut(marked, rows)
      }
    } catch (error) {
      log('warn', 'New events could not be read. Followers retry within a second.', { error })
    } finally {
      this.#reading = false
    }
  }

  #fanOut(
    marked: readonly { key: number; followed: FollowedSession }[],
    rows: readonly (EventRow & { floor: number })[]
  ): void {
    const followedOf = new Map(marked.map(({ key, followed }) => [key, followed]))
    const read = new Map<number, number>()
    for (const row of rows) {
      read.set(row.sessionKey, (read.get(row.sessionKey) ?? 0) + 1)
      const followed = followedOf.get(row.sessionKey)
      if (followed === undefined || row.seq <= followed.cursor) continue
      if (row.floor > followed.cursor) {
        // The session has a new generation, so these events do not continue the previous ones.
        followed.cursor = row.seq
        for (const reader of followed.readers) deliver(reader, 'reset')
        continue
      }
      followed.cursor = row.seq
      const event = wireEvent(row)
      for (const reader of followed.readers) deliver(reader, event)
    }
    for (const [key, count] of read) if (count === pageSize) this.#changed.add(key)
  }

  /**
   * Polls the heads of all followed sessions. A lost notification then costs at most a second, and deleted or
   * recreated sessions are noticed.
   */
  async #poll(): Promise<void> {
    if (this.#followed.size === 0) return
    try {
      const heads = await this.#sql<{ key: number; seq: number; floor: number; gone: boolean }[]>`
        select h.session_key as key, h.seq, s.floor, s.deleted_at is not null as gone
        from heads h join sessions s on s.key = h.session_key where h.session_key = any(${[...this.#followed.keys()]})`
      for (const { key, seq, floor, gone } of heads) {
        const followed = this.#followed.get(key)
        if (followed === undefined) continue
        // A deleted session can have been revived since this read, so the reader of a `reset` checks again.
        if (gone || floor > followed.cursor) {
          followed.cursor = seq
          for (const reader of followed.readers) deliver(reader, 'reset')
        } else if (seq > followed.cursor) this.#markChanged([key])
      }
    } catch (error) {
      log('warn', 'The followed sessions could not be checked. The server retries in a second.', { error })
    }
  }
}

function deliver(reader: Reader, item: StreamItem): void {
  if (reader.ended) return
  if (reader.waiting.length >= maxWaiting) disconnect(reader)
  else reader.waiting.push(item)
  reader.wake()
}

function disconnect(reader: Reader): void {
  reader.ended = true
  reader.wake()
}
