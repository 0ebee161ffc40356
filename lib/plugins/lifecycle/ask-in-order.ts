import type { HostedPlugin, LifecycleAnswer, LifecycleEvent } from '#lib/kernel/ports/plugin-host.ts'

/** What a plugin was told last in each turn, while it has not answered. */
const tails = new WeakMap<HostedPlugin, Map<string, Promise<unknown>>>()

/**
 * Tells a plugin an event once it has answered the one before it in the same turn, whether that was waited for or not: it hears
 * of a turn in the order in which it went. Throws a sentence.
 */
export async function askInOrder(
  plugin: HostedPlugin,
  turnId: string,
  event: LifecycleEvent,
  signal: AbortSignal | undefined
): Promise<LifecycleAnswer> {
  const turns = tails.get(plugin) ?? new Map<string, Promise<unknown>>()
  tails.set(plugin, turns)
  const before = turns.get(turnId)
  const answer = before === undefined ? plugin.onEvent(event, signal) : next()
  async function next() {
    await before?.catch(() => undefined)
    return plugin.onEvent(event, signal)
  }
  turns.set(turnId, answer)
  try {
    return await answer
  } finally {
    if (turns.get(turnId) === answer) turns.delete(turnId)
  }
}
