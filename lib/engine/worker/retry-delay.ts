import type { ToolLimits } from '#lib/protocol/call/tool-settings.ts'

/** The shortest wait, in seconds: a job that is due at once would be one more try and no wait. */
const shortest = 0.1

/**
 * Seconds to wait before a failed model call is tried again (001-18). `attempt`: how many retries there were of this step;
 * `askedMs`: what the provider asked for (`Retry-After`), which is waited for in full, up to the longest that the settings
 * allow. Otherwise the wait is exponential with full jitter: anything between nothing and
 * `min(maxDelay, initialDelay * multiplier ^ attempt)`, so that sessions that failed together do not come back together.
 */
export function retryDelay(
  { initialDelaySeconds, maxDelaySeconds, multiplier, maxRetryAfterSeconds }: ToolLimits['retry'],
  attempt: number,
  askedMs: number | undefined,
  random: () => number = Math.random
): number {
  if (askedMs !== undefined) return Math.max(shortest, Math.min(askedMs / 1000, maxRetryAfterSeconds))
  const most = Math.min(maxDelaySeconds, initialDelaySeconds * multiplier ** attempt)
  return Math.max(shortest, random() * most)
}
