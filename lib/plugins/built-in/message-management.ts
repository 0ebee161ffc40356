import { Duration } from '@waystation/protocol/duration.ts'
import { z } from 'zod'
import type { Plugin } from '#lib/plugins/plugin.ts'

const Config = z.strictObject({
  errors: Duration.default(1),
  /** The durations of results, by tool name. */
  results: z.record(z.string(), Duration).default({})
})

/**
 * Sets the durations of tool results in the prompt (001-11): errors stay for one step by default, and results
 * of the tools in `results` for the configured number of steps. The log and the transaction of a step implement
 * the rest of 001 (storing, streaming, status), so that nothing is stored twice or lost.
 */
export const messageManagement: Plugin<z.output<typeof Config>> = {
  name: 'message-management',
  description:
    'Sets for how many steps tool results stay in the prompt: {"errors": 1, "results": {"web-fetch": 3}}.',
  config: Config,
  hooks: ({ errors, results }) => ({
    afterTool(call) {
      const duration = results[call.toolName] ?? (call.result.type === 'error' ? errors : undefined)
      return duration === undefined ? undefined : { change: { ...call, duration } }
    }
  })
}
