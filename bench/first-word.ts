import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.ts'
import type { ClockServer } from './clock-server.ts'
import { now } from './machine.ts'
import { readText } from './read-text.ts'

/** All processes do nothing for this time before each message. The machine is then slower than under load. */
const idleMs = 50
/** The first word of the model server, with the milliseconds that it took (`model-server.ts`). */
const firstWord = /\+(\d+\.\d+) @/

/**
 * Milliseconds from the start of a request until the first word arrives, without the time that the model took for it.
 * `ours`: a message to this server, and the stream of its session. `bare`: a request to the bare route.
 */
export type FirstWords = { ours: number[]; bare: number[] }

/** Sends the first message of each of `count` new sessions to an idle server, alternating with the bare route. */
export async function measureFirstWords(
  { server, modelUrl, createSessions, send }: ClockServer,
  count: number
): Promise<FirstWords> {
  await using route = await startChild('bare-route.ts', [modelUrl])
  const ids = Array.from({ length: count }, (_, n) => `first-word-${n}`)
  await createSessions(ids)
  const lags: FirstWords = { ours: [], bare: [] }
  for (const id of ids) {
    const streamAbort = new AbortController()
    const stream = await fetch(`${server.url}/api/sessions/${id}/events?after=0`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
      signal: streamAbort.signal
    })
    const events = readText(stream)
    await pause(idleMs)
    const sentAt = now()
    const accepted = send(id)
    const [, modelMs] = await events.until(firstWord)
    lags.ours.push(now() - sentAt - Number(modelMs))
    await accepted
    await events.until(/"outcome":"done"/)
    streamAbort.abort()
    await pause(idleMs)
    const requestedAt = now()
    const bare = readText(await fetch(route.url))
    const [, bareModelMs] = await bare.until(firstWord)
    lags.bare.push(now() - requestedAt - Number(bareModelMs))
  }
  return lags
}
