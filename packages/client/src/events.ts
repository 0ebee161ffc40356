import { createParser } from 'eventsource-parser'
import { type Backoff, jitter, rest } from './backoff.ts'
import { errorOf, WaystationError } from './error.ts'
import type { SessionEvent } from './types.ts'

/** A message of the stream: an event, the wait in ms before the next connection, or a heartbeat. */
type Told = { event: SessionEvent } | { retry: number } | 'alive'

/** Options of a session's `events`. */
export type EventsOptions = {
  /**
   * The `seq` of the last event that you have. Without it, you first get a `reset` with the current session.
   */
  after?: number
  /** Ends the iteration when it aborts. */
  signal?: AbortSignal
}

type Read = EventsOptions & {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  url: string
  backoff: Backoff
  /** After this many ms without data, it reconnects. The server sends data at least every 15 s. */
  silence: number
}

/**
 * Yields the events of a session, each once. If the connection breaks or is silent, it reconnects and
 * continues after the last event. Ends when `signal` aborts. Throws a `WaystationError` that a retry cannot
 * solve (`isFinal`).
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

/** True for an error that a retry cannot solve. 408, 429 and 5xx are temporary. */
const isFinal = (status: number) => status >= 400 && status < 500 && status !== 408 && status !== 429

/** Reads one connection until it ends. Leaving the loop early closes it. */
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
