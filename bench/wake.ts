import { setTimeout as pause } from 'node:timers/promises'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import type { BareJobs } from './bare-jobs.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'

/** Milliseconds of each path, one value per round. */
export type WakeTimes = {
  /** graphile-worker alone: `add_job` called → job committed (`added`) → handler called (`called`). */
  bare: { added: number[]; called: number[] }
  /** `sendMessage` called → accepted (committed). */
  sent: number[]
  /** Through the queue: accepted → wake job called → session claimed → model called. */
  queued: { called: number[]; claimed: number[]; modelCalled: number[] }
  /**
   * In the process that accepts the message, with a worker below capacity that claims the session in the same
   * transaction: accepted → model called.
   */
  here: number[]
  /** For the answer of a parked session's call: accepted → model called. */
  answered: number[]
}

/** A pause between two samples in milliseconds, in which the remaining writes of the last one finish. */
const pauseMs = 4

/**
 * Measures one sample of each path per round, for `seconds`: graphile-worker alone, a message through the queue, a
 * message in this process, an answer. The order rotates, so that no path always follows the same other one. The
 * first ten rounds warm up and are not included.
 */
export async function measureWakes(stage: Stage, bare: BareJobs, seconds: number): Promise<WakeTimes> {
  const sessions = await Promise.all(Array.from({ length: 10 }, () => stage.session()))
  const discarded: WakeTimes = noWakes()
  const wakes: WakeTimes = noWakes()
  const deadline = now() + seconds * 1000
  for (let round = 0; round < 12 || now() < deadline; round++) {
    const samples = samplesOf(stage, bare, round < 10 ? discarded : wakes)
    for (let i = 0; i < samples.length; i++) {
      await samples[(round + i) % samples.length]?.(sessions[round % sessions.length] as string)
      await stage.rest()
      await pause(pauseMs)
    }
  }
  return wakes
}

const noWakes = (): WakeTimes => ({
  bare: { added: [], called: [] },
  sent: [],
  queued: { called: [], claimed: [], modelCalled: [] },
  here: [],
  answered: []
})

const samplesOf = (stage: Stage, bare: BareJobs, wakes: WakeTimes) => [
  async () => {
    const { began, added, called } = await bare.once()
    wakes.bare.added.push(added - began)
    wakes.bare.called.push(called - added)
  },
  async (sessionId: string) => {
    const wake = stage.nextWake()
    const modelCall = stage.model.next()
    await sendMessage(stage.otherProcess, message(sessionId))
    const accepted = now()
    wakes.queued.called.push((await wake.called) - accepted)
    wakes.queued.claimed.push((await wake.claimed) - accepted)
    wakes.queued.modelCalled.push((await modelCall).at - accepted)
  },
  async (sessionId: string) => {
    const modelCall = stage.model.next()
    const startedAt = now()
    await sendMessage(stage.ctx, message(sessionId))
    const accepted = now()
    wakes.sent.push(accepted - startedAt)
    wakes.here.push((await modelCall).at - accepted)
  },
  async (sessionId: string) => {
    await sendMessage(stage.ctx, message(sessionId, 'ask'))
    await stage.rest()
    await pause(pauseMs)
    const toolCallId = await stage.openCall(sessionId)
    const modelCall = stage.model.next()
    await answerCall(stage.ctx, {
      sessionId,
      toolCallId,
      answer: { output: { answer: 'The first one.' } }
    })
    const accepted = now()
    wakes.answered.push((await modelCall).at - accepted)
  }
]

const message = (sessionId: string, text = 'Look at it again, please.') =>
  SendMessage.parse({ sessionId, text })
