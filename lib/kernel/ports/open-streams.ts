import type { Actor } from '#lib/kernel/ctx.ts'

/** A stream that its reader has open. */
export type OpenStream = {
  /** Aborts once the reader may no longer read; its reason is the refusal. */
  signal: AbortSignal
  /** Gives the place back, once. */
  leave: () => void
}

/**
 * Opens a stream of a reader, of which there are so many for each reader and in this process, and fewer exports of one reader
 * (`429 RATE_LIMITED`). `look` judges the reader again: it refuses, or resolves. It is called often enough that a reader
 * without access is out within 5 s.
 */
export type OpenStreams = (actor: Actor, look: () => Promise<unknown>, what?: 'export') => OpenStream
