import { setTimeout as pause } from 'node:timers/promises'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { longSession } from './long-session.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/**
 * A turn of one step. `modelCalled` and `total` are milliseconds from the acceptance of its message until the model call
 * and until a follower received the end of the turn. `prompt` is the number of messages in the prompt. `cold` marks
 * the session's first turn in this process.
 */
export type Step = { modelCalled: number; total: number; prompt: number; cold: boolean }
/** The measured turns in `short` and in `long` sessions. */
export type Steps = { short: Step[]; long: Step[] }

/** The numbers of messages that are compared, and the number of long sessions, which take turns. */
export type Lengths = { short: number; long: number; sessions: number; eventsPerMessage?: number }
const usualLengths: Lengths = { short: 10, long: 10_000, sessions: 4 }
/** A short session is replaced after this many turns, so that it stays short. */
const turnsOfShort = 5

/**
 * Measures the same turn (a message, one step, the end) in short and in long sessions, in alternating order, for
 * `seconds`.
 */
export async function measureSteps(
  stage: Stage,
  seconds: number,
  lengths: Lengths = usualLengths
): Promise<Steps> {
  const steps: Steps = { short: [], long: [] }
  const long: string[] = []
  for (let i = 0; i < lengths.sessions; i++)
    long.push(await longSession(stage, lengths.long, lengths.eventsPerMessage))
  await stage.sql`vacuum analyze`
  let short = ''
  const deadline = now() + seconds * 1000
  for (let round = 0; round < 2 * lengths.sessions || now() < deadline; round++) {
    if (round % turnsOfShort === 0) short = await longSession(stage, lengths.short)
    const next = long[round % lengths.sessions] as string
    const measurements = [
      async () => steps.short.push(await takeStep(stage, short, round % turnsOfShort === 0)),
      async () => steps.long.push(await takeStep(stage, next, round < lengths.sessions))
    ]
    for (const measurement of round % 2 === 0 ? measurements : measurements.reverse()) {
      await measurement()
      await stage.rest()
      await pause(4)
    }
  }
  return steps
}

async function takeStep(stage: Stage, sessionId: string, cold: boolean): Promise<Step> {
  const turnEnd = turnsEnd(stage, await newestEvent(stage, sessionId))
  const modelCall = stage.model.next()
  await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
  const accepted = now()
  const { at, messages } = await modelCall
  return { modelCalled: at - accepted, total: (await turnEnd) - accepted, prompt: messages, cold }
}
