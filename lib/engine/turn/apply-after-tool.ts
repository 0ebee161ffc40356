import { afterTool } from './after-tool.ts'
import type { SettledCall, Step } from './turn.ts'

/**
 * Has the plugins hear results that no code of ours brought: answers of people, browsers, other systems and sub-agents, refusals
 * and deadlines. Comes to the step, whose window has what they made of them.
 */
export async function applyAfterTool(step: Step, results: readonly SettledCall[]): Promise<Step> {
  let heard = step
  for (const call of results) {
    const { result, duration, changed } = await afterTool(step.hooks, call, call.result)
    if (changed) heard = { ...heard, ...(await step.replaceResult(call.toolCallId, result, duration)) }
  }
  return heard
}
