import type { SessionEvent } from '#lib/protocol/event.ts'
import type { RefusalBody } from '#lib/protocol/refusal.ts'
import { type Fetch, pageFetch, refusalOf } from './http.ts'
import { readSse } from './read-sse.ts'

type Follow = {
  fetch?: Fetch
  url: (after: number) => string
  cursor: () => number
  onEvent: (event: SessionEvent) => void
  /** `uptime`: for how many seconds the server that answers has run. */
  onLine: (state: 'up' | 'down', uptime?: number) => void
  /** The server said no for good (401, 403, 404, 410): following ends. */
  onRefused: (refusal: RefusalBody) => void
  signal: AbortSignal
  /** First and longest wait between two tries, in ms. */
  backoff?: { first: number; longest: number }
  /** Silence after which a line counts as dead, in ms; the server says something every 15 s. */
  silence?: number
}

/**
 * Follows a session's log: reads events after the cursor, and when the line drops (or goes silent) tries again from
 * the new cursor with exponential backoff and jitter, at once when the browser says it is online again.
 */
export async function follow(options: Follow): Promise<void> {
  const { signal, backoff = { first: 400, longest: 15_000 }, silence = 40_000, fetch = pageFetch } = options
  let failures = 0
  let hint = backoff.first
  while (!signal.aborted) {
    const line = new AbortController()
    const end = () => line.abort()
    signal.addEventListener('abort', end, { once: true })
    let watchdog = setTimeout(end, silence)
    try {
      const response = await fetch(options.url(options.cursor()), {
        headers: { accept: 'text/event-stream' },
        signal: line.signal
      })
      if ([401, 403, 404, 410].includes(response.status)) return options.onRefused(await refusalOf(response))
      if (!response.ok || response.body === null)
        throw new Error(`The event stream answered ${response.status}`)
      const uptime = response.headers.get('waystation-uptime')
      options.onLine('up', uptime === null ? undefined : Number(uptime))
      for await (const frame of readSse(response.body)) {
        failures = 0
        clearTimeout(watchdog)
        watchdog = setTimeout(end, silence)
        if (frame.retry !== undefined) hint = frame.retry
        if (frame.data !== undefined) options.onEvent(JSON.parse(frame.data) as SessionEvent)
      }
    } catch (error) {
      if (!signal.aborted && error instanceof SyntaxError) console.error('An event could not be read', error)
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

/** Waits, but not once there is a reason to try: the browser came online, or nobody follows any more. */
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
