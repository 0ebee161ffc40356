import { heardResult } from './heard-result.ts'
import type { Begin, SettledCall, Turn } from './turn.ts'

type Step = Extract<Begin, { kind: 'step' }>

/**
 * Has the plugins hear results that no code of ours brought: answers of people, browsers, other systems and sub-agents, refusals
 * and deadlines. Comes to the step, whose window has what they made of them.
 */
export async function hearResults(
  turn: Pick<Turn, 'hooks' | 'replaceResult'>,
  step: Step,
  results: readonly SettledCall[]
): Promise<Step> {
  let heard = step
  for (const call of results) {
    const { result, duration, changed } = await heardResult(turn.hooks, call, call.result)
    if (changed) heard = { ...heard, ...(await turn.replaceResult(call.toolCallId, result, duration)) }
  }
  return heard
}
