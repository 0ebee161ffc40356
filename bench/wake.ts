import { setTimeout as pause } from 'node:timers/promises'
import { SendMessage } from '#lib/protocol/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { answerCall } from '#lib/calls/answer.ts'
import type { BareJobs } from './bare-jobs.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'

/** Milliseconds of each way, a value a round. */
export type Wakes = {
  bare: number[]
  sent: number[]
  called: number[]
  taken: number[]
  asked: number[]
  answered: number[]
}

/** Quiet between two samples: what the last one left to be written is written. Milliseconds. */
const quiet = 4

/**
 * Rounds of one sample each: graphile alone, a message, an answer; in an order that rotates, so that none of them
 * always comes after the same other.
 */
export async function measureWakes(stage: Stage, bare: BareJobs, rounds: number): Promise<Wakes> {
  const wakes: Wakes = { bare: [], sent: [], called: [], taken: [], asked: [], answered: [] }
  const sessions = await Promise.all(Array.from({ length: 20 }, () => stage.session()))
  const ways = [
    async () => {
      const { added, called } = await bare.once()
      wakes.bare.push(called - added)
    },
    async (sessionId: string) => {
      const wake = stage.nextWake()
      const asked = stage.model.next()
      const began = now()
      await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
      const accepted = now()
      wakes.sent.push(accepted - began)
      wakes.called.push((await wake.called) - accepted)
      wakes.taken.push((await wake.taken) - accepted)
      wakes.asked.push((await asked).at - accepted)
    },
    async (sessionId: string) => {
      await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'ask' }))
      await stage.rest()
      await pause(quiet)
      const toolCallId = await stage.openCall(sessionId)
      const asked = stage.model.next()
      await answerCall(stage.ctx, { sessionId, toolCallId, answer: { output: { answer: 'The first one.' } } })
      const accepted = now()
      wakes.answered.push((await asked).at - accepted)
    }
  ]
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < ways.length; i++) {
      await ways[(round + i) % ways.length]?.(sessions[round % sessions.length] as string)
      await stage.rest()
      await pause(quiet)
    }
  }
  return wakes
}
