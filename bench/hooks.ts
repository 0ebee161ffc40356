import { SendMessage } from '@waystation/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/**
 * Measures whole turns of one step, alternately of an agent without plugins and an agent with ten. Returns
 * milliseconds.
 */
export async function measureHooks(stage: Stage, turns: number): Promise<{ none: number[]; ten: number[] }> {
  const durations = { none: [] as number[], ten: [] as number[] }
  const warm = 5
  for (let n = 0; n < warm + turns; n++)
    for (const which of n % 2 === 0 ? (['none', 'ten'] as const) : (['ten', 'none'] as const)) {
      const sessionId = await stage.session(which === 'ten' ? 'hooked' : 'bench')
      const turnEnd = turnsEnd(stage, await newestEvent(stage, sessionId))
      const startedAt = now()
      await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
      const duration = (await turnEnd) - startedAt
      if (n >= warm) durations[which].push(duration)
    }
  return durations
}
