/** Milliseconds, but for the counts. */
export const usual = {
  handshake: 10_000,
  healthEvery: 10_000,
  healthWithin: 2_000,
  misses: 3,
  backoff: { first: 250, longest: 30_000 },
  /** Up this long, a plugin counts as well, and what failed before is forgotten. */
  steady: 60_000,
  failures: 5
}
export type Timing = typeof usual

/** `why` is a sentence or the end of one, for a person. */
export type PluginState =
  | { kind: 'starting' }
  | { kind: 'serving' }
  | { kind: 'unhealthy'; misses: number; why: string }
  | { kind: 'restarting'; why: string; waitMs: number }
  | { kind: 'failed'; why: string }
  | { kind: 'stopped' }
