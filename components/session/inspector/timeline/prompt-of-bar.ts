import type { ListedPrompt } from '@waystation/protocol/session/prompt.ts'
import type { Bar } from './timeline-bars.ts'

/** Returns the ID of the message that a model call belongs to, or undefined for any other bar. */
export const messageOfBar = ({ lane, what, id }: Bar): string | undefined =>
  lane === 'model' && what === 'Model' ? id.slice(0, id.lastIndexOf('#')) : undefined

/**
 * Returns the ID of the prompt of a step's bar, or undefined if it has none. The prompts of a message are in
 * the order of its model bars.
 *
 * @param prompts the prompts of the bar's message, newest first. A running step has no prompt yet.
 */
export function promptOfBar(
  bar: Bar,
  bars: readonly Bar[],
  prompts: readonly ListedPrompt[]
): number | undefined {
  const message = messageOfBar(bar)
  const own = bars.filter(other => messageOfBar(other) === message).sort((a, b) => a.start - b.start)
  return prompts.toReversed()[own.findIndex(({ id }) => id === bar.id)]?.promptId
}
