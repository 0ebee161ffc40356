import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createParser } from 'eventsource-parser'
import { expect } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { LoggedEvent } from '#lib/protocol/session/event.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { type Random, seeded } from '#tests/chaos/seeded.ts'
import { serveApi } from '#tests/support/worlds/serve-api.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const key = { authorization: 'Bearer the-admin-key-of-every-test' }
/** `WAYSTATION_STREAM_SEED`: where connections break. */
const seed = Number(process.env.WAYSTATION_STREAM_SEED ?? 1)

/** How much is read: sessions, events of each, and connections that the reader of each loses. */
type Load = { sessions: number; length: number; losses: number }

/** What the event of this number says: of many lengths, and with characters of one to four bytes to be cut in the middle. */
const words = (n: number): string => `${n} ${'aé€😀'.repeat(1 + (n % 23))}`
const eventOf = (n: number): LoggedEvent => ({
  type: 'chunk',
  messageId: 'm',
  turnId: 't',
  chunk: { type: 'text-delta', id: '0', delta: words(n) }
})
const bytesOf = (n: number) => Buffer.byteLength(words(n)) + 200

/** Writes a session's events as verbs write theirs, up to this one. */
async function write(ctx: Ctx, sessionId: string, from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += 250)
    await inTransaction(ctx, async tx => {
      const numbers = Array.from({ length: Math.min(250, to - at + 1) }, (_, i) => at + i)
      await append(tx, await lockSession(tx, sessionId), numbers.map(eventOf))
    })
}

/** What a reader heard, connection by connection. */
type Heard = { seen: number[]; wrong: string[]; lost: number; torn: number }

/**
 * Reads a session to its end over connections that break after so many bytes, wherever that is: in the middle of an event, or of a
 * character. Only whole events count, and it comes back with the ID of the last one.
 */
async function readBrokenly(url: string, { length, losses }: Load, random: Random): Promise<Heard> {
  const heard: Heard = { seen: [], wrong: [], lost: 0, torn: 0 }
  while (heard.lost < losses || (heard.seen.at(-1) ?? 0) < length) {
    const last = heard.seen.at(-1) ?? 0
    const left = (length - last) * bytesOf(11)
    // Once it has everything the retry hint is all there is to be cut.
    const share = left === 0 ? 12 : (2 * left) / Math.max(losses - heard.lost, 1)
    const budget = heard.lost < losses ? random.below(share) : Number.POSITIVE_INFINITY
    const asked = request(url, { headers: { ...key, 'last-event-id': String(last) }, agent: false }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`The stream was answered with ${response.statusCode}.`)
    if (await hear(response, budget, length, heard)) heard.torn += 1
    heard.lost += 1
    asked.destroy()
  }
  return heard
}

/** Hears so many bytes of a response, or up to the session's end; true if the last event was cut. */
async function hear(
  response: IncomingMessage,
  budget: number,
  length: number,
  { seen, wrong }: Heard
): Promise<boolean> {
  const decoder = new TextDecoder()
  let text = ''
  const parser = createParser({
    onEvent({ id, event, data }) {
      const { seq, type, chunk } = JSON.parse(data)
      if (Number(id) !== seq || event !== type || chunk.delta !== words(seq)) wrong.push(data)
      seen.push(seq)
    }
  })
  let left = budget
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) {
      text = decoder.decode(bytes.subarray(0, left), { stream: true })
      parser.feed(text)
      left -= bytes.length
      if (left <= 0 || (seen.at(-1) ?? 0) >= length) break
    }
  } catch (error) {
    // The break that was wanted.
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error
  }
  return !text.endsWith('\n\n')
}

/**
 * Reads sessions over connections that break at any byte while half of the events are written. No reader misses one, hears
 * one twice, or in another order. Returns how many connections were lost, and how many of those within an event.
 */
export async function expectNothingLost(load: Load): Promise<{ lost: number; torn: number }> {
  const { sessions, length } = load
  const { ctx } = await testWorld({ settings: { WAYSTATION_ROLE: 'web', WAYSTATION_LIMIT_KEY: '0' } })
  const url = await serveApi()
  const ids = Array.from({ length: sessions }, (_, n) => `s${n}`)
  await Promise.all(ids.map(sessionId => createSession(ctx, { agentId: 'guide', sessionId })))
  // Half of it is there already; the rest is written while they read.
  await Promise.all(ids.map(id => write(ctx, id, 1, length / 2)))
  const reading = ids.map((id, n) =>
    readBrokenly(`${url}/api/sessions/${id}/events`, load, seeded(seed, `reader ${n}`))
  )
  await Promise.all(ids.map(id => write(ctx, id, length / 2 + 1, length)))
  const heard = await Promise.all(reading)

  const all = Array.from({ length }, (_, n) => n + 1)
  for (const { seen, wrong } of heard) {
    expect(wrong).toEqual([])
    expect(seen).toEqual(all)
  }
  const sum = (what: 'lost' | 'torn') => heard.reduce((total, one) => total + one[what], 0)
  return { lost: sum('lost'), torn: sum('torn') }
}
