import { setTimeout as pause } from 'node:timers/promises'
import { type OobPriority, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import type { Stage } from '#bench/stage.ts'
import { newestEvent, turnsEnd } from '#bench/turns-end.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'

/** The number of accepted messages, and of those that the model received once, several times, and never. */
export type DeliveryCounts = { accepted: number; once: number; doubled: number; lost: number }

const priorities: readonly OobPriority[] = ['low', 'normal', 'high', 'critical']

/**
 * Sends `count` out-of-band messages of every priority to sessions, fifty each. Twenty of these sessions run turns
 * meanwhile. At the end each session gets one more message, and the function counts the messages in its model's
 * prompt.
 */
export async function measureDelivery(stage: Stage, count: number): Promise<DeliveryCounts> {
  const perSession = 50
  const sessions = await Promise.all(Array.from({ length: count / perSession }, () => stage.session()))
  const accepted: { id: string; sessionId: string }[] = []
  let isRunning = true
  const turns = sessions.slice(0, 20).map(async sessionId => {
    while (isRunning) {
      await sendUserMessage(stage, sessionId)
      await pause(20)
    }
  })
  for (let n = 0; n < perSession; n++)
    await inGroups(sessions, 25, async sessionId => {
      const id = await sendOutOfBandMessage(
        stage,
        sessionId,
        priorities[n % priorities.length] as OobPriority
      )
      accepted.push({ id, sessionId })
    })
  isRunning = false
  await Promise.all(turns)
  await stage.rest()
  return countReceived(stage, accepted)
}

/**
 * Sends `count` messages close to the end of a turn: when a follower receives the end, or a few milliseconds before
 * or after. Critical messages must reach the model without any further action, and the others with the next
 * message. `stranded` counts the critical messages that did not.
 */
export async function measureDeliveryAtEnd(
  stage: Stage,
  count: number
): Promise<DeliveryCounts & { stranded: number }> {
  const sessionCount = 20
  const sessions = await Promise.all(Array.from({ length: sessionCount }, () => stage.session()))
  const accepted: { id: string; sessionId: string }[] = []
  for (let round = 0; round < count / sessionCount; round++)
    await Promise.all(
      sessions.map(async (sessionId, n) => {
        const turnEnd = turnsEnd(stage, await newestEvent(stage, sessionId))
        await sendUserMessage(stage, sessionId)
        // One third of the messages is sent before the end, the others after it.
        const isEarly = (round + n) % 3 === 0
        if (isEarly) await pause((round * 7 + n) % 16)
        else await turnEnd
        const priority = (round + n) % 2 === 0 ? 'critical' : (priorities[(round + n) % 4] as OobPriority)
        accepted.push({ id: await sendOutOfBandMessage(stage, sessionId, priority), sessionId })
        await turnEnd
      })
    )
  await stage.rest()
  const [row] = await stage.sql<{ stranded: number }[]>`
    select count(*)::int as stranded from out_of_band where status = 'visible' and priority = 'critical'
      and id = any(${accepted.map(({ id }) => id)})`
  return { ...(await countReceived(stage, accepted)), stranded: row?.stranded ?? 0 }
}

/**
 * Sends one more message to each session. Its model must then have received everything, so the function counts the
 * messages in this prompt.
 */
async function countReceived(
  stage: Stage,
  accepted: { id: string; sessionId: string }[]
): Promise<DeliveryCounts> {
  const ids = new Map<string, string[]>()
  for (const { id, sessionId } of accepted) ids.set(sessionId, [...(ids.get(sessionId) ?? []), id])
  const counts = { once: 0, doubled: 0, lost: 0 }
  for (const [sessionId, messageIds] of ids) {
    const modelCall = stage.model.next()
    await sendUserMessage(stage, sessionId)
    const prompt = JSON.stringify((await modelCall).prompt)
    await stage.rest()
    for (const id of messageIds) {
      const occurrences = prompt.split(`id=\\"${id}\\"`).length - 1
      counts[occurrences === 0 ? 'lost' : occurrences === 1 ? 'once' : 'doubled']++
    }
  }
  return { accepted: accepted.length, ...counts }
}

const sendOutOfBandMessage = async (stage: Stage, sessionId: string, priority: OobPriority) =>
  (await sendOutOfBand(stage.ctx, SendOob.parse({ sessionId, content: 'The build is red.', priority }))).id

const sendUserMessage = (stage: Stage, sessionId: string) =>
  sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look again, please.', whenBusy: 'queue' }))

async function inGroups<T>(all: readonly T[], size: number, work: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += size)
    await Promise.all(all.slice(from, from + size).map(work))
}
