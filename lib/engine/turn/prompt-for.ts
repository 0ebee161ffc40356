import { runThrough } from '#lib/kernel/run-through.ts'
import type { PromptState } from '#lib/protocol/session/prompt.ts'
import { assemblePrompt } from './assemble-prompt.ts'
import type { AssembledPrompt, Begin, Turn, TurnEnd } from './turn.ts'

/** The prompt of a step, taken when it is final; the end of the turn, when a plugin cancels it. */
export async function promptFor(
  turn: Turn,
  begun: Extract<Begin, { kind: 'step' }>
): Promise<AssembledPrompt | Extract<TurnEnd, { kind: 'failed' }>> {
  const states: PromptState[] = []
  const prompt = await runThrough(assemblePrompt(turn, begun), state => states.push(state))
  return 'kind' in prompt ? prompt : { ...prompt, states }
}
