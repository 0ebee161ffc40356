import type { ModelMessage, ToolSet } from 'ai'
import { guidanceFor, promptOf } from './prompt.ts'
import { stoppedBy } from './stopped-by.ts'
import type { Begin, Turn, TurnEnd } from './turn.ts'

/**
 * The prompt of a step, once the plugins have seen it (`beforeModel`): they may change its words and leave tools out, and the
 * next step's begins from the context again. The end of the turn, when one of them cancels it.
 */
export async function promptFor(
  turn: Turn,
  begun: Extract<Begin, { kind: 'step' }>
): Promise<
  { instructions: string; messages: ModelMessage[]; tools: ToolSet } | Extract<TurnEnd, { kind: 'failed' }>
> {
  const { hooks, tools } = turn
  const prompt = {
    instructions: [turn.instructions, guidanceFor(turn.userAfterTools)]
      .filter(text => text !== '')
      .join('\n\n'),
    messages: promptOf(begun.entries, { ...begun, userAfterTools: turn.userAfterTools })
  }
  if (!hooks.has('beforeModel')) return { ...prompt, tools }
  const passed = await hooks.run('beforeModel', { ...prompt, tools: Object.keys(tools) })
  if ('cancelled' in passed) return stoppedBy(passed.cancelled)
  const { instructions, messages, tools: left } = passed.payload
  return {
    instructions,
    messages,
    tools: Object.fromEntries(Object.entries(tools).filter(([name]) => left.includes(name)))
  }
}
