import { setTimeout as pause } from 'node:timers/promises'
import type { Outbound } from '@waystation/egress'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/** The duration of the slowest call in milliseconds. */
const slowest = 500
const prefix = 'http://slow.bench/'

/** Returns `count` URLs of a slow server. The delay grows evenly up to the last URL, the slowest. */
export const slowAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${Math.round((slowest * (n + 1)) / count)}`)

/** Answers these URLs without a network. Passes all other URLs to `fetch`. */
export const withSlow =
  (fetch: Outbound): Outbound =>
  async (url, init) => {
    if (!url.startsWith(prefix)) return fetch(url, init)
    await pause(Number(url.slice(prefix.length)), undefined, { signal: init?.signal })
    const body = new TextEncoder().encode('It is done.')
    const headers = new Headers({ 'content-type': 'text/plain' })
    return { status: 200, url, headers, body, text: () => 'It is done.' }
  }

/**
 * Measures whole turns, alternately of a step with only the slowest call and of a step with twenty calls (001-14).
 * Returns milliseconds.
 */
export async function measureParallel(
  stage: Stage,
  turns: number
): Promise<{ one: number[]; twenty: number[] }> {
  const durations = { one: [] as number[], twenty: [] as number[] }
  const warm = 2
  for (let n = 0; n < warm + turns; n++)
    for (const [which, calls] of [
      ['one', 1],
      ['twenty', 20]
    ] as const) {
      const sessionId = await stage.session('parallel')
      const turnEnd = turnsEnd(stage, await newestEvent(stage, sessionId))
      const startedAt = now()
      await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: `fetch ${calls}` }))
      const duration = (await turnEnd) - startedAt
      if (n >= warm) durations[which].push(duration)
    }
  return durations
}
