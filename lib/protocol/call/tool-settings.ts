import { z } from 'zod'

const seconds = z.number({ error: 'must be a number of seconds, like 30' })

/** How a step is tried again whose model call failed in a way that passes (001-18). Seconds. */
const Retry = z.strictObject({
  /** Tries of one step, the first one included. */
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
  /** The longest that is waited because the provider asks for it (`Retry-After`). */
  maxRetryAfterSeconds: seconds.min(0, 'must be at least 0').max(86_400, 'must be at most 86400').optional()
})

/**
 * How long calls may run, how many at once, and how a failed model call is tried again (001-14, 001-18): of a workspace, and of
 * an agent, whose word comes first. What is not named is as the next one says, in the end `toolDefaults`.
 */
export const ToolSettings = z.strictObject({
  /** Seconds that a tool of this server may run which says nothing else itself. */
  timeoutSeconds: seconds.min(1, 'must be at least 1').max(3600, 'must be at most 3600').optional(),
  /** Seconds that the calls of one step may take together, from when they can run; waiting for people does not count. */
  batchTimeoutSeconds: seconds.min(1, 'must be at least 1').max(3600, 'must be at most 3600').optional(),
  /** Calls of one session that run side by side; the others wait for their turn. */
  concurrency: z
    .int('must be a whole number, like 8')
    .min(1, 'must be at least 1')
    .max(64, 'must be at most 64')
    .optional(),
  retry: Retry.optional()
})
export type ToolSettings = z.infer<typeof ToolSettings>

/** The same with nothing left out: what a turn goes by. */
export type ToolLimits = Required<Omit<ToolSettings, 'retry'>> & { retry: Required<z.infer<typeof Retry>> }

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

/** What holds for an agent of a workspace: its own word, else the workspace's, else the default. */
export const toolLimitsOf = (workspace: ToolSettings, agent: ToolSettings = {}): ToolLimits => ({
  ...toolDefaults,
  ...workspace,
  ...agent,
  retry: { ...toolDefaults.retry, ...workspace.retry, ...agent.retry }
})
