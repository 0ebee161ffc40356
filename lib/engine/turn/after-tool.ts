import type { HookedCall, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'

/** What the plugins make of a call's result (`afterTool`), and for how many rounds it stays in the prompt if they say so. */
export async function afterTool(
  hooks: RoundHooks,
  { toolCallId, toolName, input }: HookedCall,
  result: CallResult
): Promise<{ result: CallResult; duration?: number; changed: boolean }> {
  const passed = await hooks.run('afterTool', { toolCallId, toolName, input, result })
  if ('payload' in passed) {
    const { result, duration } = passed.payload
    return { result, changed: passed.changed, ...(duration === undefined ? {} : { duration }) }
  }
  const { plugin, reason } = passed.cancelled
  const text = `Its result was withheld by the plugin "${plugin}": ${reason}`
  return { result: { type: 'error', text }, changed: true }
}
