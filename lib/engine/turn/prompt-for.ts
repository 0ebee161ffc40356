import { runThrough } from '#lib/kernel/drain-generator.ts'
import type { PromptState } from '#lib/protocol/session/prompt.ts'
import { assemblePrompt } from './assemble-prompt.ts'
import type { AssembledPrompt, Step, TurnEnd } from './turn.ts'

/** Assembles the final prompt of a step, with all its states. Returns the end of the turn if a plugin cancels. */
export async function promptFor(step: Step): Promise<AssembledPrompt | Extract<TurnEnd, { kind: 'failed' }>> {
  const states: PromptState[] = []
  const prompt = await runThrough(assemblePrompt(step), state => states.push(state))
  return 'kind' in prompt ? prompt : { ...prompt, states }
}
