import { createParser } from 'eventsource-parser'
import { errorOf } from './error.ts'
import type { Connection, Received } from './follow.ts'

/** Follows a session with Server-Sent Events. */
export const eventStream = (
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  url: string
): Connection =>
  async function* (after, signal) {
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        ...(after === undefined ? {} : { 'last-event-id': String(after) })
      },
      signal
    })
    if (!response.ok || response.body === null)
      throw errorOf(response, await response.json().catch(() => undefined))
    const uptime = response.headers.get('waystation-uptime')
    yield { up: uptime === null ? undefined : Number(uptime) }
    const received: Received[] = []
    const parser = createParser({
      onEvent: ({ data }) => received.push({ event: JSON.parse(data) }),
      onRetry: retry => received.push({ retry }),
      onComment: () => received.push('alive')
    })
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* received.splice(0)
    }
  }
