import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { LoggedEvent } from '@waystation/protocol/session/event.ts'
import { createParser } from 'eventsource-parser'
import { expect } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { type Random, seeded } from '#tests/chaos/seeded.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const key = { authorization: 'Bearer the-admin-key-of-every-test' }
/** `WAYSTATION_STREAM_SEED` determines where connections break. */
const seed = Number(process.env.WAYSTATION_STREAM_SEED ?? 1)

/** The numbers of sessions, of events in each, and of connections that each reader loses. */
type Load = { sessions: number; length: number; losses: number }

/**
 * Returns the text of event `n`. The texts have different lengths and contain characters of one to four bytes, so
 * that connections can break inside a character.
 */
const textOf = (n: number): string => `${n} ${'aé€😀'.repeat(1 + (n % 23))}`
const eventOf = (n: number): LoggedEvent => ({
  type: 'chunk',
  messageId: 'm',
  turnId: 't',
  chunk: { type: 'text-delta', id: '0', delta: textOf(n) }
})
const bytesOf = (n: number) => Buffer.byteLength(textOf(n)) + 200

/** Appends a session's events from `from` to `to`, in transactions like those of the API. */
async function write(ctx: Ctx, sessionId: string, from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += 250)
    await inTransaction(ctx, async tx => {
      const numbers = Array.from({ length: Math.min(250, to - at + 1) }, (_, i) => at + i)
      await append(tx, await lockSession(tx, sessionId), numbers.map(eventOf))
    })
}

/** The events that a reader received, over all connections. */
type ReadResult = { seen: number[]; wrong: string[]; lost: number; torn: number }

/**
 * Reads a session to its end over connections that break after a random number of bytes, even inside an event or a
 * character. The reader uses only complete events and reconnects with the ID of the last one.
 */
async function readWithLosses(url: string, { length, losses }: Load, random: Random): Promise<ReadResult> {
  const result: ReadResult = { seen: [], wrong: [], lost: 0, torn: 0 }
  while (result.lost < losses || (result.seen.at(-1) ?? 0) < length) {
    const last = result.seen.at(-1) ?? 0
    const remaining = (length - last) * bytesOf(11)
    // If the reader has all events, only the retry hint remains to be cut.
    const share = remaining === 0 ? 12 : (2 * remaining) / Math.max(losses - result.lost, 1)
    const budget = result.lost < losses ? random.below(share) : Number.POSITIVE_INFINITY
    const clientRequest = request(url, {
      headers: { ...key, 'last-event-id': String(last) },
      agent: false
    }).end()
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`The stream was answered with ${response.statusCode}.`)
    if (await readPart(response, budget, length, result)) result.torn += 1
    result.lost += 1
    clientRequest.destroy()
  }
  return result
}

/**
 * Reads up to `budget` bytes of a response, or up to the session's end. Returns true if the last event was cut off.
 */
async function readPart(
  response: IncomingMessage,
  budget: number,
  length: number,
  { seen, wrong }: ReadResult
): Promise<boolean> {
  const decoder = new TextDecoder()
  let text = ''
  const parser = createParser({
    onEvent({ id, event, data }) {
      const { seq, type, chunk } = JSON.parse(data)
      if (Number(id) !== seq || event !== type || chunk.delta !== textOf(seq)) wrong.push(data)
      seen.push(seq)
    }
  })
  let remaining = budget
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) {
      text = decoder.decode(bytes.subarray(0, remaining), { stream: true })
      parser.feed(text)
      remaining -= bytes.length
      if (remaining <= 0 || (seen.at(-1) ?? 0) >= length) break
    }
  } catch (error) {
    // The intended break.
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error
  }
  return !text.endsWith('\n\n')
}

/**
 * Reads sessions over connections that break at any byte while half of the events are written. Expects every reader
 * to receive each event once and in order. Returns how many connections were lost, and how many of them inside an
 * event.
 */
export async function expectNothingLost(load: Load): Promise<{ lost: number; torn: number }> {
  const { sessions, length } = load
  const { ctx } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web', WAYSTATION_LIMIT_KEY: '0' } })
  const url = await serveApi()
  const ids = Array.from({ length: sessions }, (_, n) => `s${n}`)
  await Promise.all(ids.map(sessionId => createSession(ctx, { agentId: 'guide', sessionId })))
  // The first half of the events exists before the readers start. The rest is written while they read.
  await Promise.all(ids.map(id => write(ctx, id, 1, length / 2)))
  const reading = ids.map((id, n) =>
    readWithLosses(`${url}/api/sessions/${id}/events`, load, seeded(seed, `reader ${n}`))
  )
  await Promise.all(ids.map(id => write(ctx, id, length / 2 + 1, length)))
  const results = await Promise.all(reading)

  const all = Array.from({ length }, (_, n) => n + 1)
  for (const { seen, wrong } of results) {
    expect(wrong).toEqual([])
    expect(seen).toEqual(all)
  }
  const sum = (count: 'lost' | 'torn') => results.reduce((total, result) => total + result[count], 0)
  return { lost: sum('lost'), torn: sum('torn') }
}
