import type { SessionEvent } from '@waystation/protocol/session/event.ts'

/**
 * Merges adjacent deltas of one text into one event with the number of the last delta. Messages are then
 * copied once per frame, not once per token (docs/concepts/engine.md#concepts).
 */
export function mergeDeltas(events: readonly SessionEvent[]): SessionEvent[] {
  const merged: SessionEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    const joined = last === undefined ? undefined : join(last, event)
    if (joined === undefined) merged.push(event)
    else merged[merged.length - 1] = joined
  }
  return merged
}

function join(a: SessionEvent, b: SessionEvent): SessionEvent | undefined {
  if (a.type !== 'chunk' || b.type !== 'chunk' || a.messageId !== b.messageId) return undefined
  const [x, y] = [a.chunk, b.chunk]
  if (x.type !== 'text-delta' && x.type !== 'reasoning-delta') return undefined
  if (y.type !== x.type || y.id !== x.id || y.providerMetadata !== undefined) return undefined
  return { ...b, chunk: { ...x, delta: x.delta + y.delta } }
}

/**
 * The time between two updates of the page, in milliseconds. An update renders and lays out the transcript. The page
 * waits `costs` times as long as the last update took, so that updates use at most a tenth of the main thread, on slow
 * machines as well (docs/bench.md).
 */
const interval = { shortest: 60, longest: 250, costs: 10 }

/**
 * Collects events and passes them to `take` in an animation frame: the first ones in the next frame, later ones after
 * `interval`. A hidden tab draws no frames, so it passes them every 200 ms to keep its title current.
 */
export function batched(take: (events: SessionEvent[]) => void): (event: SessionEvent) => void {
  let waiting: SessionEvent[] = []
  let next = 0
  const flush = () => {
    const events = waiting
    waiting = []
    const startedAt = performance.now()
    next = startedAt + interval.shortest
    take(events)
    // Timers run after the frame, when the page is rendered and laid out.
    setTimeout(() => {
      const rest = interval.costs * (performance.now() - startedAt)
      next = startedAt + Math.min(interval.longest, Math.max(interval.shortest, rest))
    })
  }
  const inFrame = () => {
    if (typeof requestAnimationFrame === 'function' && !document.hidden) requestAnimationFrame(flush)
    else setTimeout(flush, typeof document === 'undefined' ? 0 : 200)
  }
  return event => {
    waiting.push(event)
    if (waiting.length > 1) return
    const rest = next - performance.now()
    if (rest > 0) setTimeout(inFrame, rest)
    else inFrame()
  }
}
