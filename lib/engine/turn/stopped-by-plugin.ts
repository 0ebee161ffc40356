import type { TurnEnd } from './turn.ts'

/** How a turn ends that a plugin stopped: in words for a person, with the plugin's own. */
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
