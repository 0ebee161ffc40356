import { afterTool } from './after-tool.ts'
import type { SettledCall, Step } from './turn.ts'

/**
 * Runs `afterTool` on results that did not come from a server tool: answers of people, browsers, external
 * agents and sub-agents, denials and deadlines. Returns the step with the results that the plugins changed.
 */
export async function applyAfterTool(step: Step, results: readonly SettledCall[]): Promise<Step> {
  let updated = step
  for (const call of results) {
    const { result, duration, changed } = await afterTool(step.hooks, call, call.result)
    if (changed) updated = { ...updated, ...(await step.replaceResult(call.toolCallId, result, duration)) }
  }
  return updated
}
