import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { createParser } from 'eventsource-parser'
import { expect, onTestFinished } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { serveApi } from '#tests/support/worlds/serve-api.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const key = { authorization: 'Bearer the-admin-key-of-every-test' }

/** More than the kernel keeps for a socket: a client that does not read is stuck in the middle of these. */
export const stuckAt = 800
const large = 'x'.repeat(30_000)

/** A session of 800 events of 30 kB with three clients that follow it and do not read, and one that reads up to `last`. */
export async function slowReaders(last: number) {
  const { ctx } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const connections = watchConnections()
  const url = `${await serveApi()}/api/sessions/s/events`
  const readers = watchTail()
  await createSession(ctx, { agentId: 'guide', sessionId: 's' })
  const write = async (count: number, delta: string) => {
    for (let written = 0; written < count; written += 100)
      await inTransaction(ctx, async tx => {
        const chunk = { type: 'text-delta' as const, id: '0', delta }
        const event = { type: 'chunk' as const, messageId: 'm', turnId: 't', chunk }
        const events = Array.from({ length: 100 }, () => event)
        await append(tx, await lockSession(tx, 's'), events)
      })
  }
  await write(stuckAt, large)
  const slow = await Promise.all([follow(url), follow(url), follow(url)])
  const quick = await follow(url)
  const read = quick.read(last)
  const reaches = (seq: number) =>
    expect.poll(() => quick.seen.at(-1), { timeout: 60_000 }).toBeGreaterThanOrEqual(seq)
  await reaches(stuckAt)
  return {
    /** How many readers the server has let go of, and the connections that it has. */
    readers,
    connections,
    slow,
    /** What the client that reads has seen; `read` resolves when it has seen the last event. */
    quick,
    read,
    reaches,
    /** Writes so many more events, a multiple of 100, with so much text each. */
    write,
    /** Follows the session from behind an event on. */
    again: (after: number) => follow(url, after)
  }
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
  const { ports } = runtime()
  const { follow: tail } = ports
  const watched = { ended: 0 }
  ports.follow = async function* (...asked) {
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
