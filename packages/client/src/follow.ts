import { type Backoff, jitter, rest } from './backoff.ts'
import { WaystationError } from './error.ts'
import type { SessionEvent } from './types.ts'

/**
 * An item that a connection delivers.
 * - `up`: the connection is open. The value is the server's uptime in seconds, if known.
 * - `retry`: the wait before the next connection, in ms.
 * - `alive`: a heartbeat.
 */
export type Received = { up: number | undefined } | { event: SessionEvent } | { retry: number } | 'alive'

/**
 * Opens a connection that delivers the events after a cursor. The iteration ends when the connection breaks.
 * If the error is not temporary, following ends with it.
 */
export type Connection = (after: number | undefined, signal: AbortSignal) => AsyncIterable<Received>

/** Options of a session's `events`. */
export type EventsOptions = {
  /**
   * The `seq` of the last event that you have. Without it, you first get a `reset` with the current session.
   */
  after?: number
  /** Ends the iteration when it aborts. */
  signal?: AbortSignal
  /**
   * Uses a WebSocket if one opens. Browsers open hundreds of them to a host, but only six other HTTP/1.1
   * connections.
   */
  socket?: boolean
  /** Called when a connection opens or breaks. `uptime`: how many seconds the server has run, if known. */
  onConnection?: (state: 'up' | 'down', uptime?: number) => void
}

type Follow = Pick<EventsOptions, 'after' | 'signal' | 'onConnection'> & {
  open: Connection
  backoff: Backoff
  /** After this many ms without data, it reconnects. The server sends data at least every 15 s. */
  silence: number
}

/**
 * Yields the events of a session, each once. If the connection breaks or is silent, it reconnects and
 * continues after the last event. Ends when `signal` aborts. Throws a `WaystationError` that is not temporary.
 */
export async function* follow(options: Follow): AsyncGenerator<SessionEvent, void, undefined> {
  const { open, signal, backoff, silence, onConnection } = options
  let cursor = options.after
  let hint = 0
  for (let failures = 0; !signal?.aborted; failures++) {
    const line = new AbortController()
    const end = () => line.abort()
    signal?.addEventListener('abort', end, { once: true })
    let watchdog = setTimeout(end, silence)
    try {
      for await (const received of open(cursor, line.signal)) {
        clearTimeout(watchdog)
        watchdog = setTimeout(end, silence)
        if (received !== 'alive' && 'up' in received) {
          onConnection?.('up', received.up)
          continue
        }
        // After `up` alone, the count stays: the server may accept connections and drop them at once.
        failures = 0
        if (received === 'alive') continue
        if ('retry' in received) {
          hint = received.retry
          continue
        }
        const { event } = received
        if (event.type !== 'reset' && event.seq <= (cursor ?? -1)) continue
        cursor = event.type === 'reset' ? event.cursor : event.seq
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof WaystationError && !error.temporary) throw error
      if (error instanceof WaystationError && error.retryAfter !== undefined) hint = error.retryAfter * 1000
      if (error instanceof SyntaxError) console.error('An event could not be parsed', error)
    } finally {
      clearTimeout(watchdog)
      signal?.removeEventListener('abort', end)
      end()
    }
    if (signal?.aborted) return
    onConnection?.('down')
    await rest(Math.max(hint, jitter(backoff, failures)), signal)
    hint = 0
  }
}
