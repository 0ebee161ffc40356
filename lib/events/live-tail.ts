import type { Bus } from '#lib/bus/bus.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import type { SessionEvent } from '#lib/protocol/event.ts'
import type { Tail } from './tail.ts'

/**
 * How a process follows sessions, and passes on what it writes. On a line that carries events, what others carry is offered
 * to the tail like what is written here, and what is written here is carried instead of rung for. The tail takes
 * what joins what it told last and reads the rest: the log is the only truth.
 */
export function liveTail(tail: Tail, { live }: Bus): Pick<Ports, 'tail' | 'offer'> {
  if (live === undefined)
    return { offer: tail.offer, tail: (sessionKey, after, signal) => tail.follow(sessionKey, after, signal) }
  live.onCarried((sessionKey, events, ring) =>
    tail.offer(sessionKey, events as readonly SessionEvent[], ring)
  )
  return {
    offer: (sessionKey, events) =>
      tail.offer(sessionKey, events, () => live.carry(sessionKey, events as readonly Written[])),
    async *tail(sessionKey, after, signal) {
      const leave = live.follow(sessionKey)
      try {
        yield* tail.follow(sessionKey, after, signal)
      } finally {
        leave()
      }
    }
  }
}

type Written = SessionEvent & { seq: number; at: string }
