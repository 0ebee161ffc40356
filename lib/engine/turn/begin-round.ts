import { applyAfterTool } from './apply-after-tool.ts'
import { stoppedByPlugin } from './stopped-by-plugin.ts'
import type { Round, Step, TurnEnd } from './turn.ts'

type Stopped = Extract<TurnEnd, { kind: 'failed' }>

/**
 * What the plugins have to say before a round: the first of a turn is the turn's beginning too. They hear what became of the
 * calls of the round before while that is not over, then the beginning of this one, then answers to older calls. A round that
 * was cut off and is begun again is told again. It comes to the step, with other words where a plugin put them in the place of
 * a message or of a result; or to the end of the turn, when one of them cancels it.
 */
export async function beginRound(step: Step): Promise<Step | Stopped> {
  const { hooks, run } = step
  const results = hooks.has('afterTool') ? await step.results() : []
  const isUnderWay = run.rounds > 0 || run.left !== undefined
  const early = results.filter(({ late }) => isUnderWay && !late)
  let begun = await applyAfterTool(step, early)
  for (const message of step.said) hooks.watch('onMessage', message)
  if (run.opened) run.opened = false
  else {
    const opened = await open(step, step)
    if (opened.kind === 'failed') return opened
    begun = { ...begun, ...opened.changed }
  }
  return applyAfterTool(
    begun,
    results.filter(result => !early.includes(result))
  )
}

/**
 * Calls that somebody approved once their run was over begin another run: its first round begins before they run, and goes on
 * with the step. Comes to the end of the turn, when a plugin cancels it.
 */
export async function beginWithTools(round: Round): Promise<Stopped | undefined> {
  if (round.run.rounds > 0) return undefined
  const opened = await open(round, { round: 1, said: [] })
  if (opened.kind === 'failed') return opened
  round.run.opened = true
  return undefined
}

/** Begins a round, and with the first one the turn. `changed`: what is another in the step. */
async function open(
  { hooks, run, replaceInput }: Round,
  { round, said, lastAgentId }: Pick<Step, 'round' | 'said' | 'lastAgentId'>
): Promise<Stopped | { kind: 'opened'; changed: Partial<Step> }> {
  let changed: Partial<Step> = {}
  if (round === 1) hooks.watch('onStatus', { status: 'working' })
  if (round === 1 && hooks.has('beforeTurn')) {
    const input = said.map(({ text }) => text).join('\n\n')
    const passed = await hooks.run('beforeTurn', { input })
    if ('cancelled' in passed) return stoppedByPlugin(passed.cancelled)
    const { input: kept } = passed.payload
    if (said.length > 0 && kept !== input)
      changed = await replaceInput(
        said.map(({ id }) => id),
        kept
      )
  }
  run.rounds += 1
  if (!hooks.has('beforeRound')) return { kind: 'opened', changed }
  const before = run.rounds === 1 ? undefined : lastAgentId
  const passed = await hooks.run('beforeRound', { round, lastAgentId: before })
  return 'cancelled' in passed ? stoppedByPlugin(passed.cancelled) : { kind: 'opened', changed }
}
