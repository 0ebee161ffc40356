import { createParser } from 'eventsource-parser'
import { type Backoff, jitter, rest } from './backoff.ts'
import { errorOf, WaystationError } from './error.ts'
import type { SessionEvent } from './types.ts'

/** What a stream says: an event, the pause it asks for before the next try, or only that it is there. */
type Told = { event: SessionEvent } | { retry: number } | 'alive'

export type EventsOptions = {
  /** The last event known; without it the first event is a `reset` with the session as it is now. */
  after?: number
  signal?: AbortSignal
}

type Read = EventsOptions & {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  url: string
  backoff: Backoff
  /** Silence after which a line counts as dead, in ms; the server says something every 15 s. */
  silence: number
}

/**
 * The events of a session, each once, for as long as they are read. When the line drops or goes silent it comes back
 * behind the last event. Ends when `signal` aborts; throws a `WaystationError` when the server says no for good.
 */
export async function* readEvents(read: Read): AsyncGenerator<SessionEvent, void, undefined> {
  const { signal, backoff } = read
  let cursor = read.after
  let hint = 0
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      for await (const told of oneLine(read, cursor)) {
        failures = 0
        if (told === 'alive') continue
        if ('retry' in told) {
          hint = told.retry
          continue
        }
        const { event } = told
        if (event.type !== 'reset' && event.seq <= (cursor ?? -1)) continue
        cursor = event.type === 'reset' ? event.cursor : event.seq
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof WaystationError && isFinal(error.status)) throw error
      if (error instanceof WaystationError && error.retryAfter !== undefined) hint = error.retryAfter * 1000
    }
    await rest(Math.max(hint, jitter(backoff, failures)), signal)
    hint = 0
  }
}

/** Another try would be refused in the same words. 408 and 429 pass; so does whatever is the server's own fault. */
const isFinal = (status: number) => status >= 400 && status < 500 && status !== 408 && status !== 429

/** One connection's worth. Leaving it early closes the connection. */
async function* oneLine(
  { fetch, url, signal, silence }: Read,
  cursor: number | undefined
): AsyncGenerator<Told> {
  const line = new AbortController()
  const end = () => line.abort()
  signal?.addEventListener('abort', end, { once: true })
  let watchdog = setTimeout(end, silence)
  try {
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        ...(cursor === undefined ? {} : { 'last-event-id': String(cursor) })
      },
      signal: line.signal
    })
    if (!response.ok || response.body === null)
      throw errorOf(response, await response.json().catch(() => undefined))
    const told: Told[] = []
    const parser = createParser({
      onEvent: ({ data }) => told.push({ event: JSON.parse(data) }),
      onRetry: retry => told.push({ retry }),
      onComment: () => told.push('alive')
    })
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(watchdog)
      watchdog = setTimeout(end, silence)
      parser.feed(decoder.decode(value, { stream: true }))
      yield* told.splice(0)
    }
  } finally {
    clearTimeout(watchdog)
    signal?.removeEventListener('abort', end)
    end()
  }
}
