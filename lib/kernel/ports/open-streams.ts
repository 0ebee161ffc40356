import type { Actor } from '#lib/kernel/ctx.ts'

/** A stream that a client has open. */
export type OpenStream = {
  /** Aborts when the reader loses access. Its reason is the error. */
  signal: AbortSignal
  /** Releases the slot. Call it once. */
  leave: () => void
}

/**
 * Opens a stream for a reader. The number is limited per reader and per process, with a lower limit for exports
 * (`RATE_LIMITED`). `look` checks the reader's access and throws if it ended. It is called often enough to end the
 * stream within 5 s.
 */
export type OpenStreams = (actor: Actor, look: () => Promise<unknown>, what?: 'export') => OpenStream
