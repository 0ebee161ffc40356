import { SendMessage } from '@waystation/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/**
 * Measures whole turns, alternately of a step with only the slowest call and of a step with twenty calls (001-14).
 * Returns milliseconds.
 */
export async function measureParallel(
  stage: Stage,
  turns: number
): Promise<{ one: number[]; twenty: number[] }> {
  const durations = { one: [] as number[], twenty: [] as number[] }
  const warm = 2
  for (let n = 0; n < warm + turns; n++)
    for (const [which, calls] of [
      ['one', 1],
      ['twenty', 20]
    ] as const) {
      const sessionId = await stage.session('parallel')
      const turnEnd = turnsEnd(stage, await newestEvent(stage, sessionId))
      const startedAt = now()
      await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: `fetch ${calls}` }))
      const duration = (await turnEnd) - startedAt
      if (n >= warm) durations[which].push(duration)
    }
  return durations
}
