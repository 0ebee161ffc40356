import type { FailedTurn } from './turn.ts'

/** Returns the end of a turn that a plugin stopped, with the plugin's reason. */
export const stoppedByPlugin = (by: { plugin: string; reason: string }): FailedTurn => ({
  kind: 'failed',
  error: {
    code: 'STOPPED_BY_PLUGIN',
    message: `The plugin "${by.plugin}" stopped this: ${by.reason}`,
    retryable: false
  }
})
