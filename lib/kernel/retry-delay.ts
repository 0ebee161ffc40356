import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'

/** Minimum delay, in seconds, so that a retry never runs at once. */
const minSeconds = 0.1

/**
 * Returns the delay before a failed model call is retried, in seconds (001-18). A delay that the provider
 * requests (`Retry-After`) is waited in full, up to the configured maximum. Otherwise, the delay is a random
 * value up to `min(maxDelay, initialDelay * multiplier ^ attempt)`, so that sessions that failed together do
 * not retry together.
 *
 * @param attempt number of earlier retries of this step
 * @param askedMs delay that the provider requested, in milliseconds
 */
export function retryDelay(
  { initialDelaySeconds, maxDelaySeconds, multiplier, maxRetryAfterSeconds }: ToolLimits['retry'],
  attempt: number,
  minMs: number | undefined,
  random: () => number = Math.random
): number {
  if (minMs !== undefined) return Math.max(minSeconds, Math.min(minMs / 1000, maxRetryAfterSeconds))
  const maxSeconds = Math.min(maxDelaySeconds, initialDelaySeconds * multiplier ** attempt)
  return Math.max(minSeconds, random() * maxSeconds)
}
