import type { HookedCall, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'

/**
 * Runs the plugins' `afterTool` hooks on a call's result. Returns the result for the model and the number of
 * steps for which it stays in the prompt, if a plugin set one.
 */
export async function afterTool(
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
