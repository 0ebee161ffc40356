import { createParser } from 'eventsource-parser'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import type { TestServer } from '#tests/support/worlds/start-server.ts'

/** Somebody who follows a session over HTTP, from one server or another, and remembers what they saw last. */
export type Reader = {
  events: SessionEvent[]
  /** What a server said, in milliseconds, about when to come back. */
  retry: number | undefined
  /**
   * Connects with the last ID seen and reads until enough was seen, or until the server ends the stream. `enough` is asked
   * after each event.
   */
  read(
    from: Pick<TestServer, 'url' | 'apiKey'>,
    enough: (event: SessionEvent) => boolean
  ): Promise<'enough' | 'ended'>
  /** All text of the agent so far. */
  text(): string
}

/** A reader who has seen nothing yet. */
export function readerOf(sessionId: string): Reader {
  let cursor = 0
  const reader: Reader = {
    events: [],
    retry: undefined,
    async read({ url, apiKey }, enough) {
      const leave = new AbortController()
      const response = await fetch(`${url}/api/sessions/${sessionId}/events`, {
        headers: { authorization: `Bearer ${apiKey}`, 'last-event-id': String(cursor) },
        signal: leave.signal
      })
      if (!response.ok || response.body === null) throw new Error(`The stream answered ${response.status}.`)
      let seen = false
      const parser = createParser({
        onRetry: milliseconds => {
          reader.retry = milliseconds
        },
        onEvent({ event: type, data, id }) {
          // What came after enough was seen was never looked at.
          if (seen) return
          if (type === 'reset') throw new Error('The log begins anew.')
          const event = JSON.parse(data) as SessionEvent
          cursor = Number(id)
          reader.events.push(event)
          seen = enough(event)
        }
      })
      const decoder = new TextDecoder()
      try {
        for await (const bytes of response.body) {
          parser.feed(decoder.decode(bytes, { stream: true }))
          if (seen) return 'enough'
        }
        return 'ended'
      } finally {
        leave.abort()
      }
    },
    text: () =>
      reader.events
        .map(event => (event.type === 'chunk' && event.chunk.type === 'text-delta' ? event.chunk.delta : ''))
        .join('')
  }
  return reader
}
