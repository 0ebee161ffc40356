import type { BrowserStorage } from '#components/browser/storage.ts'

/** A server that came back after more than this is not news to whoever comes back as well. Milliseconds. */
const forgotten = 10 * 60_000
/** A page that is reloaded so soon after it noticed says it again. Milliseconds. */
const fresh = 60_000
/** Without the end of a line to go by, a restart fits into an absence as short as this. Milliseconds. */
const short = 60_000
/** While the line is up, how often that is written down, for the page that a reload makes. Milliseconds. */
const every = 5000

export type RestartDetector = {
  /**
   * The line is up, to a server that has run for so many seconds. How long it was gone (ms), if it started meanwhile; 0 when
   * that is not known: nobody here looked when it went.
   */
  up: (uptimeSeconds: number) => number | undefined
  down: () => void
  stop: () => void
}

/**
 * Notices that the server was restarted between two lines to it: it has run for less long than this browser was without
 * one. Only lengths of time are held against each other, so that clocks may differ.
 */
export function restartDetector(keep: BrowserStorage, sessionId: string): RestartDetector {
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
    up(uptimeSeconds) {
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
    down: () => end(true),
    stop: () => end(false)
  }
}
