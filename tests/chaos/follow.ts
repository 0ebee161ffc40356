import { setTimeout as pause } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { digestOf } from '#lib/kernel/digest.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import type { Followed } from './history.ts'
import type { Run } from './operate.ts'
import type { Random } from './seeded.ts'
import { apiKey } from './stage.ts'

/** What an event says, without what only one way of telling it has. */
export function digestOfEvent(event: Record<string, unknown>): string {
  const { bytes: _, ...said } = event
  return digestOf(said).slice(0, 16)
}

/** A reader that is never content with one connection. */
export type Reader = {
  session: string
  cursor(): number
  /** Resolves once it has stopped. */
  stop(): Promise<void>
}

/** So many milliseconds a connection lasts at most, until the reader leaves it by itself. */
const longest = 4_000

/**
 * Follows a session from its beginning: each connection ends by its server's end, or when the reader has had enough, and
 * the next one goes on behind what was seen. Each is written to the history.
 */
export function follow(
  { stage, history }: Run,
  random: Random,
  { session, reader, onEvent }: { session: string; reader: string; onEvent(event: SessionEvent): void }
): Reader {
  const over = new AbortController()
  let cursor = 0
  let web = random.below(stage.webs.length)

  const connect = async () => {
    const line: Followed = {
      kind: 'followed',
      session,
      reader,
      after: cursor,
      seen: [],
      began: Date.now(),
      ended: 0
    }
    const parser = createParser({
      onEvent({ data }) {
        const event = JSON.parse(data) as SessionEvent
        cursor = event.seq
        line.seen.push([event.seq, digestOfEvent(event)])
        onEvent(event)
      }
    })
    const enough = AbortSignal.any([over.signal, AbortSignal.timeout(200 + random.below(longest))])
    try {
      const response = await fetch(`${stage.webs[web]?.url}/api/sessions/${session}/events`, {
        headers: { authorization: `Bearer ${apiKey}`, 'last-event-id': String(cursor) },
        signal: enough
      })
      if (!response.ok) throw new Error(`The stream was refused: ${response.status}`)
      const text = new TextDecoder()
      for await (const bytes of response.body ?? []) parser.feed(text.decode(bytes, { stream: true }))
    } finally {
      history.add({ ...line, ended: Date.now() })
    }
  }
  const reading = (async () => {
    while (!over.signal.aborted) {
      await connect().catch(() => pause(100))
      web = (web + 1) % stage.webs.length
    }
  })()
  return {
    session,
    cursor: () => cursor,
    stop() {
      over.abort()
      return reading
    }
  }
}
