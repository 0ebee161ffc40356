import type { ToolOutcome } from '#lib/kernel/connection-needed.ts'
import type { ClaimedCall, Turn } from './turn.ts'

/** Runs a claimed call; what it came to passes the plugins (`afterTool`) before it is kept. One that waits for an account
 * or an answer came to nothing yet. */
export async function runHooked(
  turn: Turn,
  call: ClaimedCall,
  signal: AbortSignal,
  left: number
): Promise<{ outcome: ToolOutcome; duration?: number }> {
  const outcome = await turn.run(call, signal, left)
  const { hooks } = turn
  const { type } = outcome
  if (type === 'connect' || type === 'consent' || type === 'ask' || !hooks.has('afterTool'))
    return { outcome }
  const { toolCallId, toolName, input } = call
  const passed = await hooks.run('afterTool', { toolCallId, toolName, input, result: outcome })
  if ('payload' in passed) {
    const { result, duration } = passed.payload
    return { outcome: result, ...(duration === undefined ? {} : { duration }) }
  }
  const { plugin, reason } = passed.cancelled
  const text = `Its result was withheld by the plugin "${plugin}": ${reason}`
  return { outcome: { type: 'error', text } }
}
