import type {
  HostedPlugin,
  LifecycleAnswer,
  LifecycleEvent,
  PluginCall
} from '@waystation/plugin-host/contract.ts'

/** The last unanswered event of each turn, by plugin and turn ID. */
const tails = new WeakMap<HostedPlugin, Map<string, Promise<unknown>>>()

/**
 * Sends an event to a plugin after it has answered the previous event of the same turn, even if no caller
 * waited for that answer. The plugin therefore receives the events of a turn in order. Throws like `onEvent`.
 */
export async function sendInOrder(
  plugin: HostedPlugin,
  turnId: string,
  event: LifecycleEvent,
  call: PluginCall
): Promise<LifecycleAnswer> {
  const turns = tails.get(plugin) ?? new Map<string, Promise<unknown>>()
  tails.set(plugin, turns)
  const previous = turns.get(turnId)
  const answer = previous === undefined ? plugin.onEvent(event, call) : afterPrevious()
  async function afterPrevious() {
    await previous?.catch(() => undefined)
    return plugin.onEvent(event, call)
  }
  turns.set(turnId, answer)
  try {
    return await answer
  } finally {
    if (turns.get(turnId) === answer) turns.delete(turnId)
  }
}
