import type { ErrorBody } from '@waystation/protocol/error-body.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'

/**
 * An item that a connection delivers.
 * - `up`: the connection is open. The value is the server's uptime in seconds, if known.
 * - `retry`: the wait before the next attempt, in milliseconds.
 * - `alive`: a heartbeat.
 */
export type Heard = { up: number | undefined } | { event: SessionEvent } | { retry: number } | 'alive'

/**
 * Opens a connection that delivers the events after a cursor. The iteration ends when the connection breaks.
 * It throws `Refused` if a retry is pointless.
 */
export type Line = (after: number, signal: AbortSignal) => AsyncIterable<Heard>

/** The server rejected the connection permanently, so following ends. */
export class Refused extends Error {
  readonly refusal: ErrorBody

  constructor(refusal: ErrorBody) {
    super(refusal.error)
    this.refusal = refusal
  }
}

type Follow = {
  open: Line
  cursor: () => number
  onEvent: (event: SessionEvent) => void
  /** `uptime`: how long the server has been running, in seconds. */
  onLine: (state: 'up' | 'down', uptime?: number) => void
  onRefused: (refusal: ErrorBody) => void
  signal: AbortSignal
  /** The first and the longest wait between two attempts, in milliseconds. */
  backoff?: { first: number; longest: number }
  /**
   * How long a connection can be silent before it is closed, in milliseconds. The server sends a heartbeat
   * every 15 s.
   */
  silence?: number
}

/**
 * Follows a session's log. When the connection breaks or is silent for too long, reconnects from the new
 * cursor with exponential backoff and jitter. Reconnects at once when the browser reports that it is online
 * again.
 */
export async function follow(options: Follow): Promise<void> {
  const { signal, backoff = { first: 400, longest: 15_000 }, silence = 40_000 } = options
  let failures = 0
  let hint = backoff.first
  while (!signal.aborted) {
    const line = new AbortController()
    const end = () => line.abort()
    signal.addEventListener('abort', end, { once: true })
    let watchdog = setTimeout(end, silence)
    try {
      for await (const heard of options.open(options.cursor(), line.signal)) {
        clearTimeout(watchdog)
        watchdog = setTimeout(end, silence)
        if (heard !== 'alive' && 'up' in heard) {
          options.onLine('up', heard.up)
          continue
        }
        failures = 0
        if (heard === 'alive') continue
        if ('retry' in heard) hint = heard.retry
        else options.onEvent(heard.event)
      }
    } catch (error) {
      if (error instanceof Refused) return options.onRefused(error.refusal)
      if (!signal.aborted && error instanceof SyntaxError)
        console.error('An event could not be parsed', error)
    } finally {
      clearTimeout(watchdog)
      signal.removeEventListener('abort', end)
    }
    if (signal.aborted) return
    options.onLine('down')
    const wait = Math.min(backoff.longest, Math.max(hint, backoff.first * 2 ** failures))
    failures += 1
    await rest(wait * (0.5 + Math.random() / 2), signal)
  }
}

/** Waits, but returns early if the browser comes online or following ends. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      globalThis.removeEventListener?.('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    globalThis.addEventListener?.('online', done, { once: true })
  })
}
