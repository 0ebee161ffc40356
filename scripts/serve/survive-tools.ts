import { log } from '@waystation/base/log.ts'
import { runningTool } from '#lib/tools/defined/contain.ts'

/**
 * Logs an error that an operator's tool neither returns nor handles, for example in a timer or in a promise that it does
 * not wait for. Such an error leaves the server's own state intact, so the process continues.
 *
 * Other errors have the same effect as without this function: a process that serves pages continues, because Next
 * listens too, and a worker ends.
 */
export function surviveTools(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      const tool = runningTool()
      if (tool !== undefined) return log('error', 'A tool left an error unhandled.', { tool, error })
      if (process.listenerCount(event) > 1) return
      console.error(error)
      process.exit(1)
    })
}
