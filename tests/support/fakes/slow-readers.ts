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
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const key = { authorization: 'Bearer the-admin-key-of-every-test' }

/**
 * More events than the kernel buffers for a socket: a client that does not read gets stuck in the middle of them.
 */
export const stuckAt = 800
const large = 'x'.repeat(30_000)

/**
 * Creates a session of 800 events of 30 kB with three clients that follow it without reading, and one that reads up
 * to `last`.
 */
export async function slowReaders(last: number) {
  const { ctx } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const connections = watchConnections()
  const url = `${await serveApi()}/api/sessions/s/events`
  const readers = watchReaders()
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
  const waitUntilRead = (seq: number) =>
    expect.poll(() => quick.seen.at(-1), { timeout: 60_000 }).toBeGreaterThanOrEqual(seq)
  await waitUntilRead(stuckAt)
  return {
    /** The number of readers that the server has released, and its open connections. */
    readers,
    connections,
    slow,
    /** The client that reads. `read` resolves when it has received the last event. */
    quick,
    read,
    waitUntilRead,
    /** Writes `count` more events, a multiple of 100, each with the text `delta`. */
    write,
    /** Follows the session from the event after this one. */
    again: (after: number) => follow(url, after)
  }
}

/** Follows a session from the start, or from the event after `last`. Collects events only while `read` runs. */
async function follow(url: string, last = 0) {
  const clientRequest = request(url, {
    headers: { ...key, 'last-event-id': String(last) },
    agent: false
  }).end()
  onTestFinished(() => void clientRequest.destroy())
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  const received: number[] = []
  const retries: number[] = []
  const parser = createParser({
    onEvent: ({ id }) => void received.push(Number(id)),
    onRetry: ms => void retries.push(ms)
  })
  /** Reads up to this event, or until the connection is closed. */
  const read = async (until = Number.POSITIVE_INFINITY) => {
    const decoder = new TextDecoder()
    try {
      for await (const bytes of response as AsyncIterable<Buffer>) {
        parser.feed(decoder.decode(bytes, { stream: true }))
        if ((received.at(-1) ?? 0) >= until) break
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'ECONNRESET' })
    }
  }
  return { seen: received, retries, read }
}

/** Counts the readers that the server has released: their event iteration ended, on either side. */
function watchReaders() {
  const { ports } = runtime()
  const { follow } = ports
  const watched = { ended: 0 }
  ports.follow = async function* (...args) {
    try {
      yield* follow(...args)
    } finally {
      watched.ended += 1
    }
  }
  return watched
}

/** Returns the open connections of the servers in this process. */
function watchConnections(): Set<Socket> {
  const open = new Set<Socket>()
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  subscribe('net.server.socket', add)
  onTestFinished(() => void unsubscribe('net.server.socket', add))
  return open
}
