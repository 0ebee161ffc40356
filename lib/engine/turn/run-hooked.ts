import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import type { RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { afterTool } from './after-tool.ts'
import type { ClaimedCall, Turn } from './turn.ts'

/** Runs a claimed call; what it came to passes the plugins (`afterTool`) before it is kept. One that waits for an account
 * or an answer came to nothing yet. */
export async function runHooked(
  turn: Turn,
  hooks: RoundHooks,
  call: ClaimedCall,
  signal: AbortSignal,
  left: number
): Promise<{ outcome: ToolOutcome; duration?: number }> {
  const outcome = await turn.run(call, signal, left)
  const { type } = outcome
  if (type === 'connect' || type === 'consent' || type === 'ask' || !hooks.has('afterTool'))
    return { outcome }
  const { result, duration } = await afterTool(hooks, call, outcome)
  return { outcome: result, ...(duration === undefined ? {} : { duration }) }
}
