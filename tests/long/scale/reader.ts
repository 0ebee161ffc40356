import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { createParser } from 'eventsource-parser'
import type { ServerProcess } from '#tests/support/servers/start-server.ts'

/** A client that follows a session over HTTP, can change servers, and remembers its last event. */
export type Reader = {
  events: SessionEvent[]
  /** The last reconnection time that a server sent, in milliseconds. */
  retry: number | undefined
  /**
   * Connects with the last seen ID and reads until `enough` returns true or the server ends the stream. Calls
   * `enough` after each event.
   */
  read(
    from: Pick<ServerProcess, 'url' | 'apiKey'>,
    enough: (event: SessionEvent) => boolean
  ): Promise<'enough' | 'ended'>
  /** Returns the text of the agent so far. */
  text(): string
}

/** Creates a reader that has seen no events. */
export function readerOf(sessionId: string): Reader {
  let cursor = 0
  const reader: Reader = {
    events: [],
    retry: undefined,
    async read({ url, apiKey }, enough) {
      const controller = new AbortController()
      const response = await fetch(`${url}/api/sessions/${sessionId}/events`, {
        headers: { authorization: `Bearer ${apiKey}`, 'last-event-id': String(cursor) },
        signal: controller.signal
      })
      if (!response.ok || response.body === null) throw new Error(`The stream answered ${response.status}.`)
      let done = false
      const parser = createParser({
        onRetry: milliseconds => {
          reader.retry = milliseconds
        },
        onEvent({ event: type, data, id }) {
          // Events after the last wanted one are ignored, so the next connection must repeat them.
          if (done) return
          if (type === 'reset') throw new Error('The log begins anew.')
          const event = JSON.parse(data) as SessionEvent
          cursor = Number(id)
          reader.events.push(event)
          done = enough(event)
        }
      })
      const decoder = new TextDecoder()
      try {
        for await (const bytes of response.body) {
          parser.feed(decoder.decode(bytes, { stream: true }))
          if (done) return 'enough'
        }
        return 'ended'
      } finally {
        controller.abort()
      }
    },
    text: () =>
      reader.events
        .map(event => (event.type === 'chunk' && event.chunk.type === 'text-delta' ? event.chunk.delta : ''))
        .join('')
  }
  return reader
}
