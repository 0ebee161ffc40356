import { setTimeout as pause } from 'node:timers/promises'
import type { Outbound } from '#lib/kernel/ctx.ts'
import { SendMessage } from '#lib/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/** How long the slowest call takes, in milliseconds. */
const slowest = 500
const place = 'http://slow.bench/'

/** Addresses of a system that takes its time: so many, the last the slowest. */
export const slowAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${place}${Math.round((slowest * (n + 1)) / count)}`)

/** What answers there, without a network; every other address goes out as it would. */
export const withSlow =
  (fetch: Outbound): Outbound =>
  async (url, init) => {
    if (!url.startsWith(place)) return fetch(url, init)
    await pause(Number(url.slice(place.length)), undefined, { signal: init?.signal })
    const body = new TextEncoder().encode('It is done.')
    const headers = new Headers({ 'content-type': 'text/plain' })
    return { status: 200, url, headers, body, text: () => 'It is done.' }
  }

/** Whole turns of a step with twenty calls and of one with the slowest of them alone, by turns. Milliseconds each (001-14). */
export async function measureParallel(
  stage: Stage,
  turns: number
): Promise<{ one: number[]; twenty: number[] }> {
  const took = { one: [] as number[], twenty: [] as number[] }
  const warm = 2
  for (let n = 0; n < warm + turns; n++)
    for (const [which, calls] of [
      ['one', 1],
      ['twenty', 20]
    ] as const) {
      const sessionId = await stage.session('parallel')
      const over = turnsEnd(stage, await newestEvent(stage, sessionId))
      const began = now()
      await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: `fetch ${calls}` }))
      const lasted = (await over) - began
      if (n >= warm) took[which].push(lasted)
    }
  return took
}
