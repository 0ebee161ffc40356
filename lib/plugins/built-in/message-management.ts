import { z } from 'zod'
import type { Plugin } from '#lib/plugins/plugin.ts'
import { Duration } from '#lib/protocol/duration.ts'

const Config = z.strictObject({
  errors: Duration.default(1),
  /** By the name of a tool. */
  results: z.record(z.string(), Duration).default({})
})

/**
 * How long what tools bring stays in the prompt (001-11): an error for one round, and the results of the tools
 * that `results` names for as long as it says. What else 001 has in this plugin (storing messages, streaming them, the
 * status) is done here by the log and by the transaction of a step, so that nothing is stored twice or lost.
 */
export const messageManagement: Plugin<z.output<typeof Config>> = {
  name: 'message-management',
  description:
    'Sets for how many steps tool results stay in the prompt: {"errors": 1, "results": {"web-fetch": 3}}.',
  config: Config,
  hooks: ({ errors, results }) => ({
    afterTool(ran) {
      const duration = results[ran.toolName] ?? (ran.result.type === 'error' ? errors : undefined)
      return duration === undefined ? undefined : { change: { ...ran, duration } }
    }
  })
}
