import { setTimeout as pause } from 'node:timers/promises'
import { SendMessage } from '#lib/protocol/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { longSession } from './long-session.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/**
 * One turn of one step in a session, in milliseconds from its message's acceptance: until the model was asked, and until
 * a follower saw the turn's end. `prompt`: the messages that the model was shown. `cold`: the first in this process.
 */
export type Step = { asked: number; whole: number; prompt: number; cold: boolean }
export type Steps = { short: Step[]; long: Step[] }

const sessionsOfEach = 4

/**
 * The same turn (a message, one step, the end) in sessions of 10 and of 10,000 messages, in turns and in an order that
 * alternates, until the time is up.
 */
export async function measureSteps(stage: Stage, seconds: number): Promise<Steps> {
  const steps: Steps = { short: [], long: [] }
  const short: string[] = []
  const long: string[] = []
  for (let i = 0; i < sessionsOfEach; i++) {
    short.push(await longSession(stage, 10))
    long.push(await longSession(stage, 10_000))
  }
  await stage.sql`vacuum analyze`
  const until = now() + seconds * 1000
  for (let round = 0; round < 2 * sessionsOfEach || now() < until; round++) {
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
  const over = turnsEnd(stage, await newestEvent(stage, sessionId))
  const asked = stage.model.next()
  await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
  const accepted = now()
  const { at, messages } = await asked
  return { asked: at - accepted, whole: (await over) - accepted, prompt: messages, cold }
}
