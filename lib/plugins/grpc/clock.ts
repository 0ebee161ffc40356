import { setTimeout as pause } from 'node:timers/promises'

/** Time as the supervisor has it, so that a test can own it. Milliseconds. */
export type Clock = {
  now(): number
  /** Resolves when the time is over or `signal` aborts, whichever is first. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export const machineClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
