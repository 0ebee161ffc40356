import { setTimeout as pause } from 'node:timers/promises'
import type { ClockServer } from './clock-server.ts'
import { now } from './machine.ts'
import { readText } from './read-text.ts'

/** The server does nothing for this time before each message. */
const idleMs = 50

/**
 * Sends the first message of each of `count` new sessions, one after the other. Returns the milliseconds from the start
 * of the request until the first word arrives on the session's stream, without the time that the model took for it.
 */
export async function measureFirstWords(
  { server, createSessions, send }: ClockServer,
  count: number
): Promise<number[]> {
  const ids = Array.from({ length: count }, (_, n) => `first-word-${n}`)
  await createSessions(ids)
  const lags: number[] = []
  for (const id of ids) {
    const streamAbort = new AbortController()
    const stream = await fetch(`${server.url}/api/sessions/${id}/events?after=0`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
      signal: streamAbort.signal
    })
    const events = readText(stream)
    await pause(idleMs)
    const startedAt = now()
    const accepted = send(id)
    const [, modelMs] = await events.until(/\+(\d+\.\d+) @/)
    lags.push(now() - startedAt - Number(modelMs))
    await accepted
    await events.until(/"outcome":"done"/)
    streamAbort.abort()
  }
  return lags
}
