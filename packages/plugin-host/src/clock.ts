import { setTimeout as pause } from 'node:timers/promises'

/** A clock in milliseconds that tests can replace. */
export type Clock = {
  now(): number
  /** Resolves after `ms` milliseconds or once `signal` aborts. Never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** The machine's monotonic clock. Its timers do not keep the process alive. */
export const machineClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
