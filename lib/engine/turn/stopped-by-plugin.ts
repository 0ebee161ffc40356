import type { TurnEnd } from './turn.ts'

/** Returns the end of a turn that a plugin stopped, with the plugin's reason. */
export const stoppedByPlugin = ({
  plugin,
  reason
}: {
  plugin: string
  reason: string
}): Extract<TurnEnd, { kind: 'failed' }> => ({
  kind: 'failed',
  error: {
    code: 'STOPPED_BY_PLUGIN',
    message: `The plugin "${plugin}" stopped this: ${reason}`,
    retryable: false
  }
})
