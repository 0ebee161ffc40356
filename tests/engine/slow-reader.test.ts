import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createParser } from 'eventsource-parser'
import { expect, onTestFinished, test } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/events/append.ts'
import { lockHead } from '#lib/events/head.ts'
import { house } from '#lib/kernel/house.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { serveApi } from '#tests/support/serve-api.ts'
import { testWorld } from '#tests/support/world.ts'

const key = { authorization: 'Bearer a-key-for-tests-only' }
const words = 'x'.repeat(8_000)
const MB = 1024 * 1024

/** What this process holds once its garbage is gone, in bytes. */
function held(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Follows a session from the beginning, or behind an ID; what it hears when it reads. */
async function follow(url: string, last = 0) {
  const asked = request(url, { headers: { ...key, 'last-event-id': String(last) }, agent: false }).end()
  onTestFinished(() => void asked.destroy())
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const seen: number[] = []
  const retries: number[] = []
  const parser = createParser({
    onEvent: ({ id }) => void seen.push(Number(id)),
    onRetry: ms => void retries.push(ms)
  })
  /** Up to this event, or until the connection is cut. */
  const read = async (until = Number.POSITIVE_INFINITY) => {
    const decoder = new TextDecoder()
    try {
      for await (const bytes of response as AsyncIterable<Buffer>) {
        parser.feed(decoder.decode(bytes, { stream: true }))
        if ((seen.at(-1) ?? 0) >= until) break
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'ECONNRESET' })
    }
  }
  return { seen, retries, read }
}

/** Counts the readers that the server has let go of: what they were told came to its end, on whichever side. */
function watchTail() {
  const { ports } = house()
  const { tail } = ports
  const watched = { ended: 0 }
  ports.tail = async function* (...asked) {
    try {
      yield* tail(...asked)
    } finally {
      watched.ended += 1
    }
  }
  return watched
}

/** The connections that a server of this process holds. */
function watchConnections(): Set<Socket> {
  const open = new Set<Socket>()
  const add = (told: unknown) => {
    const { socket } = told as { socket: Socket }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  subscribe('net.server.socket', add)
  onTestFinished(() => void unsubscribe('net.server.socket', add))
  return open
}

test('a client that does not read is dropped at a bound, its connection too, with a retry hint; memory does not grow with what it misses, and others see everything meanwhile', async () => {
  const { ctx } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const connections = watchConnections()
  const url = `${await serveApi()}/api/sessions/s/events`
  const readers = watchTail()
  await createSession(ctx, { agentId: 'guide', sessionId: 's' })
  let written = 0
  const write = async (count: number) => {
    for (const end = written + count; written < end; written += 100)
      await inTransaction(ctx, async tx => {
        const chunk = { type: 'text-delta' as const, id: '0', delta: words }
        const event = { type: 'chunk' as const, messageId: 'm', turnId: 't', chunk }
        const events = Array.from({ length: 100 }, () => event)
        await append(tx, await lockHead(tx, 's'), events)
      })
  }
  // More than the kernel holds for a socket: who does not read is stuck in the middle of these.
  await write(3_000)
  const slow = await Promise.all([follow(url), follow(url), follow(url)])
  const quick = await follow(url)
  const read = quick.read(12_000)
  const reaches = (seq: number) =>
    expect.poll(() => quick.seen.at(-1), { timeout: 60_000 }).toBeGreaterThanOrEqual(seq)
  await reaches(3_000)
  // What a reader may have waiting in memory is used up ...
  await write(3_000)
  await reaches(6_000)
  const before = held()
  // ... and what comes from now on is not kept for it.
  await write(6_000)
  await read
  // Kept once for all of them it would be 48 MB.
  expect(held() - before).toBeLessThan(40 * MB)
  expect(quick.seen).toEqual(Array.from({ length: 12_000 }, (_, n) => n + 1))

  // The quick one, who has left, and those that were dropped.
  await expect.poll(() => readers.ended, { timeout: 60_000 }).toBe(4)
  await expect.poll(() => connections.size, { timeout: 60_000 }).toBe(0)
  for (const reader of slow) {
    // It reads again: what was on its way, and that it was cut.
    await reader.read()
    expect(reader.retries).toEqual([1000])
    expect(reader.seen.length).toBeLessThan(3_000)
    const again = await follow(url, reader.seen.at(-1))
    await again.read(12_000)
    expect([...reader.seen, ...again.seen]).toEqual(quick.seen)
  }
}, 300_000)
