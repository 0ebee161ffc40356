import type { CallResult } from '@waystation/protocol/call/call.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import type { HookedCall, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { ClaimedCall, SettledCall, Step, Turn } from './turn.ts'

/**
 * Runs the plugins' `afterTool` hooks on a call's result. Returns the result for the model and the number of
 * steps for which it stays in the prompt, if a plugin set one.
 */
async function afterTool(
  hooks: RoundHooks,
  { toolCallId, toolName, input }: HookedCall,
  result: CallResult
): Promise<{ result: CallResult; duration?: number; changed: boolean }> {
  const hookResult = await hooks.run('afterTool', { toolCallId, toolName, input, result })
  if ('payload' in hookResult) {
    const { result, duration } = hookResult.payload
    return { result, changed: hookResult.changed, ...(duration === undefined ? {} : { duration }) }
  }
  const { plugin, reason } = hookResult.cancelled
  const text = `Its result was withheld by the plugin "${plugin}": ${reason}`
  return { result: { type: 'error', text }, changed: true }
}

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

/**
 * Runs a claimed call and passes its result to the plugins' `afterTool` hooks. A call that is suspended has
 * no result yet, so no hook runs.
 *
 * @param secondsLeft seconds that the calls of its step still have
 */
export async function runHooked(
  turn: Turn,
  hooks: RoundHooks,
  call: ClaimedCall,
  signal: AbortSignal,
  secondsLeft: number
): Promise<{ outcome: ToolOutcome; duration?: number }> {
  const outcome = await turn.run(call, signal, secondsLeft)
  const { type } = outcome
  if (type === 'connect' || type === 'consent' || type === 'ask' || !hooks.has('afterTool'))
    return { outcome }
  const { result, duration } = await afterTool(hooks, call, outcome)
  return { outcome: result, ...(duration === undefined ? {} : { duration }) }
}
