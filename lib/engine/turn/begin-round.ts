import { hearResults } from './hear-results.ts'
import { stoppedBy } from './stopped-by.ts'
import type { Begin, Turn, TurnEnd } from './turn.ts'

type Step = Extract<Begin, { kind: 'step' }>
type Stopped = Extract<TurnEnd, { kind: 'failed' }>
type Hooked = Pick<Turn, 'hooks' | 'runState' | 'replaceInput' | 'results' | 'replaceResult'>

/**
 * What the plugins have to say before a round: the first of a turn is the turn's beginning too. They hear what became of the
 * calls of the round before while that is not over, then the beginning of this one, then answers to older calls. A round that
 * was cut off and is begun again is told again. It comes to the step, with other words where a plugin put them in the place of
 * a message or of a result; or to the end of the turn, when one of them cancels it.
 */
export async function beginRound(turn: Hooked, step: Step): Promise<Step | Stopped> {
  const { hooks, runState: run } = turn
  const results = hooks.has('afterTool') ? await turn.results() : []
  const isUnderWay = run.rounds > 0 || run.left !== undefined
  const early = results.filter(({ late }) => isUnderWay && !late)
  let begun = await hearResults(turn, step, early)
  for (const message of step.said) hooks.watch('onMessage', message)
  if (run.opened) run.opened = false
  else {
    const opened = await open(turn, step)
    if (opened.kind === 'failed') return opened
    begun = { ...begun, ...opened.changed }
  }
  return hearResults(
    turn,
    begun,
    results.filter(result => !early.includes(result))
  )
}

/**
 * Calls that somebody approved once their run was over begin another run: its first round begins before they run, and goes on
 * with the step. Comes to the end of the turn, when a plugin cancels it.
 */
export async function beginWithTools(turn: Hooked): Promise<Stopped | undefined> {
  if (turn.runState.rounds > 0) return undefined
  const opened = await open(turn, { round: 1, said: [] })
  if (opened.kind === 'failed') return opened
  turn.runState.opened = true
  return undefined
}

/** Begins a round, and with the first one the turn. `changed`: what is another in the step. */
async function open(
  turn: Hooked,
  { round, said, lastAgentId }: Pick<Step, 'round' | 'said' | 'lastAgentId'>
): Promise<Stopped | { kind: 'opened'; changed: Partial<Step> }> {
  const { hooks, runState: run } = turn
  let changed: Partial<Step> = {}
  if (round === 1) hooks.watch('onStatus', { status: 'working' })
  if (round === 1 && hooks.has('beforeTurn')) {
    const input = said.map(({ text }) => text).join('\n\n')
    const passed = await hooks.run('beforeTurn', { input })
    if ('cancelled' in passed) return stoppedBy(passed.cancelled)
    const { input: kept } = passed.payload
    if (said.length > 0 && kept !== input)
      changed = await turn.replaceInput(
        said.map(({ id }) => id),
        kept
      )
  }
  run.rounds += 1
  if (!hooks.has('beforeRound')) return { kind: 'opened', changed }
  const before = run.rounds === 1 ? undefined : lastAgentId
  const passed = await hooks.run('beforeRound', { round, lastAgentId: before })
  return 'cancelled' in passed ? stoppedBy(passed.cancelled) : { kind: 'opened', changed }
}
