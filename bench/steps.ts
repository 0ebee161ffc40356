import { setTimeout as pause } from 'node:timers/promises'
import { SendMessage } from '#lib/protocol/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { longSession } from './long-session.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'

/** One turn of one step in a session: how long each part took in milliseconds, and how much the model was shown. */
export type Step = { asked: number; whole: number; prompt: number; cold: boolean }
export type Steps = { short: Step[]; long: Step[] }

/**
 * The same turn (a message, one step, the end) in sessions of 10 and of 10,000 messages, in turns, seen by a follower.
 * A session's first step in a process is `cold`: nobody has read its window yet.
 */
export async function measureSteps(stage: Stage, rounds: number, sessionsOfEach: number): Promise<Steps> {
  const steps: Steps = { short: [], long: [] }
  const short: string[] = []
  const long: string[] = []
  for (let i = 0; i < sessionsOfEach; i++) {
    short.push(await longSession(stage, 10))
    long.push(await longSession(stage, 10_000))
  }
  await stage.sql`analyze`
  for (let round = 0; round < rounds; round++) {
    const i = round % sessionsOfEach
    const cold = round < sessionsOfEach
    const ways = [
      async () => steps.short.push(await takeStep(stage, short[i] as string, cold)),
      async () => steps.long.push(await takeStep(stage, long[i] as string, cold))
    ]
    for (const way of round % 2 === 0 ? ways : ways.reverse()) {
      await way()
      await stage.rest()
      await pause(4)
    }
  }
  return steps
}

async function takeStep(stage: Stage, sessionId: string, cold: boolean): Promise<Step> {
  const [head] = await stage.sql<{ key: number; seq: number }[]>`
    select key, seq from sessions join heads on session_key = key where id = ${sessionId}`
  const over = turnsEnd(stage, head?.key ?? 0, head?.seq ?? 0)
  const asked = stage.model.next()
  await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
  const accepted = now()
  const { at, messages } = await asked
  return { asked: at - accepted, whole: (await over) - accepted, prompt: messages, cold }
}

/** Follows a session from after a cursor; resolves with the time at which the end of its turn was seen. */
async function turnsEnd(stage: Stage, sessionKey: number, after: number): Promise<number> {
  const stop = new AbortController()
  for await (const event of stage.ctx.ports.tail(sessionKey, after, stop.signal)) {
    if (event !== 'reset' && event.type === 'status' && event.outcome !== undefined) return now()
  }
  throw new Error('The session went quiet before its turn had ended.')
}
