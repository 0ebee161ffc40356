/** Default timings in milliseconds. `misses` and `failures` are counts. */
export const defaultTiming = {
  handshake: 10_000,
  healthEvery: 10_000,
  healthWithin: 2_000,
  misses: 3,
  backoff: { first: 250, longest: 30_000 },
  /** After serving this long, a plugin is considered stable and its earlier failures are forgotten. */
  steady: 60_000,
  /** The same for a remote plugin, which its author restarts. */
  steadyRemote: 10_000,
  /** How long a call waits for the start of a remote plugin that was down. */
  wake: 2_000,
  failures: 5
}
/** The timings of a supervised plugin, which tests can change. */
export type Timing = typeof defaultTiming

/** The state of a plugin. `why` is a sentence for people, or the end of one. */
export type PluginState =
  | { kind: 'starting' }
  | { kind: 'serving' }
  | { kind: 'unhealthy'; misses: number; why: string }
  | { kind: 'restarting'; why: string; waitMs: number }
  | { kind: 'failed'; why: string }
  | { kind: 'stopped' }
