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
 * The shortest time between two updates of the page, in milliseconds. Each update lays out the transcript, so
 * text that streams in costs the main thread about half as much as with an update in each frame (docs/bench.md).
 */
const intervalMs = 60

/**
 * Collects events and passes them to `take` in an animation frame: the first ones in the next frame, later ones at
 * most every 60 ms. A hidden tab draws no frames, so it passes them every 200 ms to keep its title current.
 */
export function batched(take: (events: SessionEvent[]) => void): (event: SessionEvent) => void {
  let waiting: SessionEvent[] = []
  let last = -intervalMs
  const flush = () => {
    const events = waiting
    waiting = []
    last = performance.now()
    take(events)
  }
  const inFrame = () => {
    if (typeof requestAnimationFrame === 'function' && !document.hidden) requestAnimationFrame(flush)
    else setTimeout(flush, typeof document === 'undefined' ? 0 : 200)
  }
  return event => {
    waiting.push(event)
    if (waiting.length > 1) return
    const rest = last + intervalMs - performance.now()
    if (rest > 0) setTimeout(inFrame, rest)
    else inFrame()
  }
}
