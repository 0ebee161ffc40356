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
 * Collects events and passes them to `take` once per animation frame. A hidden tab draws no frames, so it
 * passes them every 200 ms to keep its title current.
 */
export function perFrame(take: (events: SessionEvent[]) => void): (event: SessionEvent) => void {
  let waiting: SessionEvent[] = []
  const flush = () => {
    const events = waiting
    waiting = []
    take(events)
  }
  return event => {
    waiting.push(event)
    if (waiting.length > 1) return
    if (typeof requestAnimationFrame === 'function' && !document.hidden) requestAnimationFrame(flush)
    else setTimeout(flush, typeof document === 'undefined' ? 0 : 200)
  }
}
