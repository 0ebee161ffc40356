import type { BrowserStorage } from '#components/browser/storage.ts'

/** Outages longer than this are not reported as restarts, in milliseconds. */
const forgotten = 10 * 60_000
/** How long after a restart was reported a reload reports it again, in milliseconds. */
const fresh = 60_000
/**
 * If no page was connected when an outage started, its length is reported only below this limit, in
 * milliseconds.
 */
const short = 60_000
/** How often the time is stored while the connection is up, for the page after a reload, in milliseconds. */
const every = 5000

/**
 * Detects that the server was restarted between two connections: its uptime is shorter than the time without
 * a connection. Only durations are compared, so the clocks of browser and server can differ.
 */
export function restartDetector(keep: BrowserStorage, sessionId: string) {
  const key = `heard:${sessionId}`
  const noticed = `restarted:${sessionId}`
  let timer: ReturnType<typeof setInterval> | undefined
  const heard = (cut = false) => keep.set(key, { at: Date.now(), cut })
  const end = (cut: boolean) => {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    heard(cut)
  }
  return {
    /**
     * Call this when the connection is up. If the server was restarted meanwhile, returns the length of the
     * outage in milliseconds. Returns 0 if the length is unknown because no page was connected at its start,
     * and undefined without a restart.
     */
    up(uptimeSeconds: number): number | undefined {
      const before = keep.get<{ at: number; cut: boolean }>(key)
      const away = before === undefined ? 0 : Date.now() - before.at
      heard()
      timer ??= setInterval(heard, every)
      if (uptimeSeconds * 1000 < away && away < forgotten) {
        const known = before?.cut || away < short ? away : 0
        keep.set(noticed, { at: Date.now(), away: known })
        return known
      }
      const last = keep.get<{ at: number; away: number }>(noticed)
      return last !== undefined && Date.now() - last.at < fresh ? last.away : undefined
    },
    /** Call this when the connection breaks. */
    down: () => end(true),
    /** Call this when the page stops following. */
    stop: () => end(false)
  }
}
