import { stoppedBy } from './stopped-by.ts'
import type { Begin, Turn, TurnEnd } from './turn.ts'

type Step = Extract<Begin, { kind: 'step' }>

/**
 * What the plugins have to say before a round: the first of a turn is the turn's beginning too. A round that was cut off and
 * is begun again is told again. It comes to the step, with other words where a plugin put them in the place of what the turn
 * began with; or to the end of the turn, when one of them cancels it.
 */
export async function beginRound(
  turn: Pick<Turn, 'hooks' | 'replaceInput'>,
  step: Step
): Promise<Step | Extract<TurnEnd, { kind: 'failed' }>> {
  const { hooks } = turn
  const { round, lastAgentId, said } = step
  let begun = step
  if (round === 1) hooks.watch('onStatus', { status: 'working' })
  for (const message of said) hooks.watch('onMessage', message)
  if (round === 1 && hooks.has('beforeTurn')) {
    const input = said.map(({ text }) => text).join('\n\n')
    const passed = await hooks.run('beforeTurn', { input })
    if ('cancelled' in passed) return stoppedBy(passed.cancelled)
    if (said.length > 0 && passed.payload.input !== input)
      begun = {
        ...step,
        ...(await turn.replaceInput(
          said.map(({ id }) => id),
          passed.payload.input
        ))
      }
  }
  if (!hooks.has('beforeRound')) return begun
  const passed = await hooks.run('beforeRound', { round, lastAgentId })
  return 'cancelled' in passed ? stoppedBy(passed.cancelled) : begun
}
