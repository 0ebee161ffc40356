import { setTimeout as pause } from 'node:timers/promises'
import { digestOf } from '@waystation/base/digest.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { createParser } from 'eventsource-parser'
import { apiKey } from './cluster.ts'
import type { ReaderConnection } from './history.ts'
import type { Random } from './seeded.ts'
import type { Run } from './send-operation.ts'

/** Returns a digest of an event without `bytes`, which only the log API returns. */
export function digestOfEvent(event: Record<string, unknown>): string {
  const { bytes: _, ...content } = event
  return digestOf(content).slice(0, 16)
}

/** A client that reads the events of a session and reconnects whenever a connection ends. */
export type Reader = {
  session: string
  cursor(): number
  /** Resolves once the reader has stopped. */
  stop(): Promise<void>
}

/** Maximum time in milliseconds before the reader closes a connection. */
const maxConnectionMs = 4_000

/**
 * Follows a session from its beginning. Each connection ends with its server, or after a random time. The next
 * connection continues after the last seen event. Each connection is one line of the history.
 */
export function follow(
  { cluster, history }: Run,
  random: Random,
  { session, reader, onEvent }: { session: string; reader: string; onEvent(event: SessionEvent): void }
): Reader {
  const stopped = new AbortController()
  let cursor = 0
  let web = random.below(cluster.webs.length)

  const connect = async () => {
    const line: ReaderConnection = {
      kind: 'followed',
      session,
      reader,
      after: cursor,
      received: [],
      startedAt: Date.now(),
      ended: 0
    }
    const parser = createParser({
      onEvent({ data }) {
        const event = JSON.parse(data) as SessionEvent
        cursor = event.seq
        line.received.push([event.seq, digestOfEvent(event)])
        onEvent(event)
      }
    })
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(200 + random.below(maxConnectionMs))])
    try {
      const response = await fetch(`${cluster.webs[web]?.url}/api/sessions/${session}/events`, {
        headers: { authorization: `Bearer ${apiKey}`, 'last-event-id': String(cursor) },
        signal: signal
      })
      if (!response.ok) throw new Error(`The stream was refused: ${response.status}`)
      const text = new TextDecoder()
      for await (const bytes of response.body ?? []) parser.feed(text.decode(bytes, { stream: true }))
    } finally {
      history.add({ ...line, ended: Date.now() })
    }
  }
  const reading = (async () => {
    while (!stopped.signal.aborted) {
      await connect().catch(() => pause(100))
      web = (web + 1) % cluster.webs.length
    }
  })()
  return {
    session,
    cursor: () => cursor,
    stop() {
      stopped.abort()
      return reading
    }
  }
}
