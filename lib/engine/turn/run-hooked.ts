import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import type { RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { afterTool } from './after-tool.ts'
import type { ClaimedCall, Turn } from './turn.ts'

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
