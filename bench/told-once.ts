import { setTimeout as pause } from 'node:timers/promises'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { type OobPriority, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import { SendMessage } from '#lib/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/** How many were accepted; told to the model once; more often; never. */
export type Told = { accepted: number; once: number; doubled: number; lost: number }

const priorities: readonly OobPriority[] = ['low', 'normal', 'high', 'critical']

/**
 * So many out-of-band messages of every priority, to two hundred sessions that take one turn after the other meanwhile. At the end
 * each session has one more message, and what its model was shown is counted.
 */
export async function tellMany(stage: Stage, count: number): Promise<Told> {
  const perSession = 50
  const sessions = await Promise.all(Array.from({ length: count / perSession }, () => stage.session()))
  const accepted: { id: string; sessionId: string }[] = []
  let going = true
  const turns = sessions.slice(0, 20).map(async sessionId => {
    while (going) {
      await say(stage, sessionId)
      await pause(20)
    }
  })
  for (let n = 0; n < perSession; n++)
    await inGroups(sessions, 25, async sessionId => {
      const id = await tell(stage, sessionId, priorities[n % priorities.length] as OobPriority)
      accepted.push({ id, sessionId })
    })
  going = false
  await Promise.all(turns)
  await stage.rest()
  return countTold(stage, accepted)
}

/**
 * So many at the instant at which a turn ends: each is sent when a follower sees the end, or a few milliseconds around it. What is
 * critical has been told when everything rests, without anybody doing anything; the rest with the next message.
 */
export async function tellAtTheEnd(stage: Stage, count: number): Promise<Told & { stranded: number }> {
  const width = 20
  const sessions = await Promise.all(Array.from({ length: width }, () => stage.session()))
  const accepted: { id: string; sessionId: string }[] = []
  for (let round = 0; round < count / width; round++)
    await Promise.all(
      sessions.map(async (sessionId, n) => {
        const over = turnsEnd(stage, await newestEvent(stage, sessionId))
        await say(stage, sessionId)
        // Before the end, at it, and behind it.
        const early = (round + n) % 3 === 0
        if (early) await pause((round * 7 + n) % 16)
        else await over
        const priority = (round + n) % 2 === 0 ? 'critical' : (priorities[(round + n) % 4] as OobPriority)
        accepted.push({ id: await tell(stage, sessionId, priority), sessionId })
        await over
      })
    )
  await stage.rest()
  const [row] = await stage.sql<{ stranded: number }[]>`
    select count(*)::int as stranded from out_of_band where status = 'visible' and priority = 'critical'
      and id = any(${accepted.map(({ id }) => id)})`
  return { ...(await countTold(stage, accepted)), stranded: row?.stranded ?? 0 }
}

/** One more message each: then every model was told everything, and its last prompt is counted. */
async function countTold(stage: Stage, accepted: { id: string; sessionId: string }[]): Promise<Told> {
  const ids = new Map<string, string[]>()
  for (const { id, sessionId } of accepted) ids.set(sessionId, [...(ids.get(sessionId) ?? []), id])
  const counts = { once: 0, doubled: 0, lost: 0 }
  for (const [sessionId, told] of ids) {
    const asked = stage.model.next()
    await say(stage, sessionId)
    const prompt = JSON.stringify((await asked).prompt)
    await stage.rest()
    for (const id of told) {
      const often = prompt.split(`id=\\"${id}\\"`).length - 1
      counts[often === 0 ? 'lost' : often === 1 ? 'once' : 'doubled']++
    }
  }
  return { accepted: accepted.length, ...counts }
}

const tell = async (stage: Stage, sessionId: string, priority: OobPriority) =>
  (await sendOutOfBand(stage.ctx, SendOob.parse({ sessionId, content: 'The build is red.', priority }))).id

const say = (stage: Stage, sessionId: string) =>
  sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look again, please.', whenBusy: 'queue' }))

async function inGroups<T>(all: readonly T[], size: number, work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += size)
    await Promise.all(all.slice(from, from + size).map(work))
}
