import { applyAfterTool } from './after-tool.ts'
import { stoppedByPlugin } from './stopped-by-plugin.ts'
import type { FailedTurn, Round, Step } from './turn.ts'

/**
 * Runs the plugins' hooks at the start of a step, in this order: `afterTool` for results of the previous
 * step, the start hooks, then `afterTool` for answers to older calls. The first step of a turn also starts
 * the turn. A step that was cut off runs its hooks again.
 *
 * Returns the step, with the messages and results that plugins replaced, or the end of the turn if a plugin
 * cancels.
 */
export async function startStep(step: Step): Promise<Step | FailedTurn> {
  const { hooks, run } = step
  const results = hooks.has('afterTool') ? await step.results() : []
  const isRunStarted = run.rounds > 0 || run.left !== undefined
  const earlierResults = results.filter(({ late }) => isRunStarted && !late)
  let current = await applyAfterTool(step, earlierResults)
  for (const message of step.userMessages) hooks.watch('onMessage', message)
  if (run.opened) run.opened = false
  else {
    const started = await runStartHooks(step, step)
    if (started.kind === 'failed') return started
    current = { ...current, ...started.changed }
  }
  return applyAfterTool(
    current,
    results.filter(result => !earlierResults.includes(result))
  )
}

/**
 * Starts a new run for calls that were approved after their run had ended. The start hooks of its first step
 * run before the calls. The step itself follows later. Returns the end of the turn if a plugin cancels.
 */
export async function beginWithTools(round: Round): Promise<FailedTurn | undefined> {
  if (round.run.rounds > 0) return undefined
  const started = await runStartHooks(round, { round: 1, userMessages: [] })
  if (started.kind === 'failed') return started
  round.run.opened = true
  return undefined
}

/**
 * Runs the hooks at the start of a step and, for the first one, of the turn. `changed` contains the fields of
 * the step that plugins changed.
 */
async function runStartHooks(
  { hooks, run, replaceInput }: Round,
  { round, userMessages, lastAgentId }: Pick<Step, 'round' | 'userMessages' | 'lastAgentId'>
): Promise<FailedTurn | { kind: 'opened'; changed: Partial<Step> }> {
  let changed: Partial<Step> = {}
  if (round === 1) hooks.watch('onStatus', { status: 'working' })
  if (round === 1 && hooks.has('beforeTurn')) {
    const input = userMessages.map(({ text }) => text).join('\n\n')
    const hookResult = await hooks.run('beforeTurn', { input })
    if ('cancelled' in hookResult) return stoppedByPlugin(hookResult.cancelled)
    const { input: newInput } = hookResult.payload
    if (userMessages.length > 0 && newInput !== input)
      changed = await replaceInput(
        userMessages.map(({ id }) => id),
        newInput
      )
  }
  run.rounds += 1
  if (!hooks.has('beforeRound')) return { kind: 'opened', changed }
  const previousAgentId = run.rounds === 1 ? undefined : lastAgentId
  const hookResult = await hooks.run('beforeRound', { round, lastAgentId: previousAgentId })
  return 'cancelled' in hookResult ? stoppedByPlugin(hookResult.cancelled) : { kind: 'opened', changed }
}
