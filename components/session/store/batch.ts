import type { SessionEvent } from '@waystation/protocol/session/event.ts'

/** Adjacent deltas of one text become one event with the last one's number: the fold copies a message once a frame,
 * not once a token (docs/concepts/engine.md#concepts). */
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
 * Collects events and hands them over once per animation frame; in a hidden tab, which draws no frames, every
 * 200 ms, so that its title still tells when it waits.
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
