import { setTimeout as pause } from 'node:timers/promises'
import { SendMessage } from '#lib/protocol/session/session.ts'
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

const longSessions = 4
/** A short session stays short: after this many turns another one takes its place. */
const turnsOfShort = 5

/**
 * The same turn (a message, one step, the end) in sessions of 10 and of 10,000 messages, in an order that alternates,
 * until the time is up.
 */
export async function measureSteps(stage: Stage, seconds: number): Promise<Steps> {
  const steps: Steps = { short: [], long: [] }
  const long: string[] = []
  for (let i = 0; i < longSessions; i++) long.push(await longSession(stage, 10_000))
  await stage.sql`vacuum analyze`
  let short = ''
  const until = now() + seconds * 1000
  for (let round = 0; round < 2 * longSessions || now() < until; round++) {
    if (round % turnsOfShort === 0) short = await longSession(stage, 10)
    const next = long[round % longSessions] as string
    const ways = [
      async () => steps.short.push(await takeStep(stage, short, round % turnsOfShort === 0)),
      async () => steps.long.push(await takeStep(stage, next, round < longSessions))
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
