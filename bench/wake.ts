import { setTimeout as pause } from 'node:timers/promises'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { SendMessage } from '#lib/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import type { BareJobs } from './bare-jobs.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'

/** Milliseconds of each way, a value a round. */
export type Wakes = {
  /** graphile-worker alone: `add_job` was called → the job was added (committed) → its handler was called. */
  bare: { added: number[]; called: number[] }
  /** `sendMessage` was called → accepted (committed). */
  sent: number[]
  /** By the queue: accepted → the wake job was called → it had taken the session → the model was asked. */
  queued: { called: number[]; taken: number[]; asked: number[] }
  /** In the process that took the message and whose worker had room (and took the session with it): accepted → asked. */
  here: number[]
  /** The same for an answer that a parked session waited for. */
  answered: number[]
}

/** Quiet between two samples: what the last one left to be written is written. Milliseconds. */
const quiet = 4

/**
 * Rounds of one sample each, until the time is up: graphile alone, a message by the queue, a message here, an answer.
 * Their order rotates, so that none of them always comes after the same other. What is warming up is not counted.
 */
export async function measureWakes(stage: Stage, bare: BareJobs, seconds: number): Promise<Wakes> {
  const sessions = await Promise.all(Array.from({ length: 10 }, () => stage.session()))
  const warmth: Wakes = noWakes()
  const wakes: Wakes = noWakes()
  const until = now() + seconds * 1000
  for (let round = 0; round < 12 || now() < until; round++) {
    const ways = waysOf(stage, bare, round < 10 ? warmth : wakes)
    for (let i = 0; i < ways.length; i++) {
      await ways[(round + i) % ways.length]?.(sessions[round % sessions.length] as string)
      await stage.rest()
      await pause(quiet)
    }
  }
  return wakes
}

const noWakes = (): Wakes => ({
  bare: { added: [], called: [] },
  sent: [],
  queued: { called: [], taken: [], asked: [] },
  here: [],
  answered: []
})

const waysOf = (stage: Stage, bare: BareJobs, wakes: Wakes) => [
  async () => {
    const { began, added, called } = await bare.once()
    wakes.bare.added.push(added - began)
    wakes.bare.called.push(called - added)
  },
  async (sessionId: string) => {
    const wake = stage.nextWake()
    const asked = stage.model.next()
    await sendMessage(stage.elsewhere, message(sessionId))
    const accepted = now()
    wakes.queued.called.push((await wake.called) - accepted)
    wakes.queued.taken.push((await wake.taken) - accepted)
    wakes.queued.asked.push((await asked).at - accepted)
  },
  async (sessionId: string) => {
    const asked = stage.model.next()
    const began = now()
    await sendMessage(stage.ctx, message(sessionId))
    const accepted = now()
    wakes.sent.push(accepted - began)
    wakes.here.push((await asked).at - accepted)
  },
  async (sessionId: string) => {
    await sendMessage(stage.ctx, message(sessionId, 'ask'))
    await stage.rest()
    await pause(quiet)
    const toolCallId = await stage.openCall(sessionId)
    const asked = stage.model.next()
    await answerCall(stage.ctx, {
      sessionId,
      toolCallId,
      answer: { output: { answer: 'The first one.' } }
    })
    const accepted = now()
    wakes.answered.push((await asked).at - accepted)
  }
]

const message = (sessionId: string, text = 'Look at it again, please.') =>
  SendMessage.parse({ sessionId, text })
