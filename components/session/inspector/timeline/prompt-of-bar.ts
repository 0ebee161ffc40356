import type { ListedPrompt } from '@waystation/protocol/session/prompt.ts'
import type { Bar } from './timeline-bars.ts'

/** The message whose round a bar is, if it is one of the model's. */
export const messageOfBar = ({ lane, what, id }: Bar): string | undefined =>
  lane === 'model' && what === 'Model' ? id.slice(0, id.lastIndexOf('#')) : undefined

/**
 * The prompt of the round that a bar is: the rounds of a message and the model's bars of it are in the same order.
 *
 * @param prompts those of the bar's message, newest first; the round that is under way has none yet
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
