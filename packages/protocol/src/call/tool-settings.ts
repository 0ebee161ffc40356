import { z } from 'zod'

const seconds = z.number({ error: 'must be a number of seconds, like 30' })

/** How a step is retried after a transient error of its model call (001-18). */
const Retry = z.strictObject({
  /** Attempts per step, including the first. */
  maxAttempts: z
    .int('must be a whole number, like 4')
    .min(1, 'must be at least 1')
    .max(20, 'must be at most 20')
    .optional(),
  initialDelaySeconds: seconds.min(0, 'must be at least 0').max(3600, 'must be at most 3600').optional(),
  maxDelaySeconds: seconds.min(0, 'must be at least 0').max(86_400, 'must be at most 86400').optional(),
  multiplier: z
    .number('must be a number, like 2')
    .min(1, 'must be at least 1')
    .max(10, 'must be at most 10')
    .optional(),
  /** The longest wait that a provider can request with `Retry-After`. */
  maxRetryAfterSeconds: seconds.min(0, 'must be at least 0').max(86_400, 'must be at most 86400').optional()
})

/**
 * Time limits and concurrency of calls, and retries of model calls (001-14, 001-18). An agent's values override the
 * workspace's. Missing values come from `toolDefaults`.
 */
export const ToolSettings = z.strictObject({
  /** Default time limit for a tool of this server that sets no other. */
  timeoutSeconds: seconds.min(1, 'must be at least 1').max(3600, 'must be at most 3600').optional(),
  /** Time limit for all calls of one step together, from when they can run. Waiting for people does not count. */
  batchTimeoutSeconds: seconds.min(1, 'must be at least 1').max(3600, 'must be at most 3600').optional(),
  /** How many calls of one session run in parallel. Others wait. */
  concurrency: z
    .int('must be a whole number, like 8')
    .min(1, 'must be at least 1')
    .max(64, 'must be at most 64')
    .optional(),
  retry: Retry.optional()
})
export type ToolSettings = z.infer<typeof ToolSettings>

/** Settings with all defaults filled in, as a turn uses them. */
export type ToolLimits = Required<Omit<ToolSettings, 'retry'>> & { retry: Required<z.infer<typeof Retry>> }

/** The values for settings that neither the agent nor the workspace sets. */
export const toolDefaults: ToolLimits = {
  timeoutSeconds: 30,
  batchTimeoutSeconds: 120,
  concurrency: 8,
  retry: {
    maxAttempts: 4,
    initialDelaySeconds: 2,
    maxDelaySeconds: 60,
    multiplier: 2,
    maxRetryAfterSeconds: 3600
  }
}

/** Returns the limits for an agent: its own values, then the workspace's, then the defaults. */
export const toolLimitsOf = (workspace: ToolSettings, agent: ToolSettings = {}): ToolLimits => ({
  ...toolDefaults,
  ...workspace,
  ...agent,
  retry: { ...toolDefaults.retry, ...workspace.retry, ...agent.retry }
})
