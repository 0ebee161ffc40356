import type { RoundHooks } from '#lib/kernel/hooks.ts'
import { stoppedBy } from './stopped-by.ts'
import type { Begin, TurnEnd } from './turn.ts'

/**
 * What the plugins have to say before a round: the first of a turn is the turn's beginning too. A round that was cut off and
 * is begun again is told again. The end of the turn, when one of them cancels it.
 */
export async function beginRound(
  hooks: RoundHooks,
  { round, said }: Extract<Begin, { kind: 'step' }>
): Promise<TurnEnd | undefined> {
  if (round === 1) hooks.watch('onStatus', { status: 'working' })
  for (const message of said) hooks.watch('onMessage', message)
  if (round === 1 && hooks.has('beforeTurn')) {
    const input = said.map(({ text }) => text).join('\n\n')
    const passed = await hooks.run('beforeTurn', { input })
    if ('cancelled' in passed) return stoppedBy(passed.cancelled)
  }
  if (!hooks.has('beforeRound')) return undefined
  const passed = await hooks.run('beforeRound', { round })
  return 'cancelled' in passed ? stoppedBy(passed.cancelled) : undefined
}
