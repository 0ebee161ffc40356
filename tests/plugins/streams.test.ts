import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import type { TestPluginOptions } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const views = [{ name: 'chat' }]

/** Starts a server whose default workspace has a plugin with this stream. Returns functions that open the stream. */
async function withStream(options: TestPluginOptions = {}, settings: Record<string, string> = {}) {
  const plugin = await serveTestPlugin({ views, ...options })
  const server = await startTestServer({
    settings: {
      ...settings,
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const url = (await serveApi()).replace('http', 'ws')
  const open = (
    headers: Record<string, string> = { authorization: 'Bearer the-admin-key-of-every-test' },
    path = '/api/v1/workspaces/default/views/twin/stream'
  ) => {
    const socket = new WebSocket(`${url}${path}`, { headers })
    const received: string[] = []
    const binary: boolean[] = []
    socket.on('message', (data, isBinary) => {
      received.push(String(data))
      binary.push(isBinary)
    })
    socket.on('error', () => undefined)
    const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
    onTestFinished(() => socket.terminate())
    const opened = once(socket, 'open')
    // A rejected socket never opens, and then the test awaits neither promise.
    for (const promise of [opened, closed]) promise.catch(() => undefined)
    return { socket, received, binary, closed, socketOpen: opened }
  }
  /** Returns the HTTP response that rejects the upgrade. */
  const refusedWith = async (...how: Parameters<typeof open>): Promise<IncomingMessage> => {
    const { socket } = open(...how)
    const [, response] = await once(socket, 'unexpected-response')
    return response
  }
  const refused = async (...how: Parameters<typeof open>) => (await refusedWith(...how)).statusCode
  /** Sends another request and waits for its response. */
  const isServed = () => refused({})
  return { ...server, plugin, open, refused, refusedWith, isServed }
}

test('003-14: the first message of a plugin stream names the user, then messages arrive unchanged and in order, and answers are binary frames', async () => {
  const received: unknown[] = []
  const { open } = await withStream({
    async *stream(messages) {
      for await (const { data, metadata } of messages) {
        received.push([Buffer.from(data).toString('latin1'), metadata])
        if (data.length > 0) yield data
      }
    }
  })
  const { socket, received: receivedMessages, binary, socketOpen } = open()
  await socketOpen
  for (let n = 0; n < 500; n++) socket.send(n % 2 === 0 ? `${n}` : Buffer.from(`${n}`))
  await expect.poll(() => receivedMessages.length).toBe(500)
  expect(receivedMessages).toEqual(Array.from({ length: 500 }, (_, n) => String(n)))
  expect(binary.every(Boolean)).toBe(true)
  expect(received[0]).toEqual([
    '',
    { workspace_id: 'default', user_id: expect.stringContaining('key:'), user_email: '' }
  ])
  expect(received[1]).toEqual(['0', {}])
})

test('22 B4: a plugin receives the e-mail address of a signed-in user', async () => {
  const metadataSeen: unknown[] = []
  const server = await withStream({
    async *stream(messages) {
      for await (const { data, metadata } of messages) {
        metadataSeen.push(metadata)
        yield data
      }
    }
  })
  const { open, sql, env } = server
  await sql`insert into users (id, name) values ('ada', 'Ada')`
  await sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'operator')`
  const cookie = await signInCookie(server, 'ada')
  await sql`update sign_ins set email = 'ada@example.com'`
  await open({ origin: env.url, cookie }).socketOpen
  await expect
    .poll(() => metadataSeen[0])
    .toEqual({ workspace_id: 'default', user_id: 'ada', user_email: 'ada@example.com' })
})

test('003-14: anonymous callers, viewers, other workspaces and plugins without views get no socket', async () => {
  const { refused, ctx } = await withStream()
  const owner = { authorization: 'Bearer the-admin-key-of-every-test' }
  expect(await refused({})).toBe(401)
  expect(await refused({ authorization: 'Bearer wrong' })).toBe(401)
  const { secret } = await createKey(ctx, { name: 'viewer', role: 'viewer' })
  expect(await refused({ authorization: `Bearer ${secret}` })).toBe(403)
  expect(await refused(owner, '/api/v1/workspaces/other/views/twin/stream')).toBe(404)
  expect(await refused(owner, '/api/v1/workspaces/default/views/none/stream')).toBe(404)
  expect(await refused(owner, '/api/v1/workspaces/default/views/%ff/stream')).toBe(404)
})

test('003-14: a stream closes with 1000 if the plugin ends it, 1013 if the plugin goes down, and 1009 after a message over a megabyte', async () => {
  const ends = await withStream({
    async *stream() {
      yield Buffer.from('bye')
    }
  })
  const short = ends.open()
  expect(await short.closed).toMatchObject({ code: 1000 })
  expect(short.received).toEqual(['bye'])

  const { open, plugin } = await withStream()
  const large = open()
  await large.socketOpen
  large.socket.send(Buffer.alloc(1024 * 1024 + 1))
  expect(await large.closed).toMatchObject({ code: 1009 })
  const cut = open()
  await cut.socketOpen
  cut.socket.send('hi')
  await expect.poll(() => cut.received.length).toBeGreaterThan(0)
  await plugin.stop()
  expect(await cut.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('unavailable') })
  const afterwards = open()
  expect(await afterwards.closed).toMatchObject({ code: 1013 })
})

/** Resolves with the server side of the next connection that this process accepts. */
function nextConnection(): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>()
  const add = (accepted: unknown) => resolve((accepted as { socket: Socket }).socket)
  subscribe('net.server.socket', add)
  return promise.finally(() => unsubscribe('net.server.socket', add))
}

/**
 * Resolves with a measure once it is over `minimum` and stays the same during five sequential requests to this
 * process. One event loop runs everything, so pending work has progressed by then.
 */
async function stableValue(
  measure: () => number,
  minimum: number,
  request: () => Promise<unknown>
): Promise<number> {
  for (;;) {
    const before = measure()
    for (let sent = 0; sent < 5; sent++) await request()
    if (before > minimum && measure() === before) return before
  }
}

test('003-14: a plugin that does not read slows down a fast client, and a client that does not read slows down the plugin', async () => {
  const { promise: never, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  const unread = await withStream({
    // biome-ignore lint/correctness/useYield: this stream sends nothing
    async *stream() {
      await never
    }
  })
  const accepted = nextConnection()
  const flood = unread.open()
  const connection = await accepted
  await flood.socketOpen
  const chunk = Buffer.alloc(64 * 1024)
  for (let n = 0; n < 1000; n++) flood.socket.send(chunk)
  // The client buffers what the server does not read. The server has read a part of the 62 MB.
  expect(await stableValue(() => connection.bytesRead, 1_000_000, unread.isServed)).toBeLessThan(30_000_000)

  let sent = 0
  const fast = await withStream({
    async *stream() {
      for (; sent < 1500; sent++) yield Buffer.alloc(64 * 1024)
    }
  })
  const slowClient = fast.open()
  await slowClient.socketOpen
  slowClient.socket.pause()
  const sentWhilePaused = await stableValue(() => sent, 10, fast.isServed)
  expect(sentWhilePaused).toBeLessThan(1000)
  slowClient.socket.resume()
  expect(await slowClient.closed).toMatchObject({ code: 1000 })
  expect(slowClient.received).toHaveLength(1500)
}, 180_000)

test('003-14: when the browser disconnects, the plugin is notified and has two seconds to end', async () => {
  let ended = ''
  const { open } = await withStream({
    async *stream(messages) {
      try {
        for await (const { data } of messages) yield data
        ended = 'told'
      } catch {
        ended = 'cut'
      }
    }
  })
  const { socket, socketOpen, received } = open()
  await socketOpen
  socket.send('hi')
  await expect.poll(() => received).toContain('hi')
  socket.close()
  await expect.poll(() => ended).toBe('told')
})

test('22 A4: a plugin stream counts towards the open streams of its reader, and one too many gets 429 instead of the upgrade', async () => {
  const { open, refusedWith } = await withStream(
    {
      async *stream(messages) {
        for await (const { data } of messages) yield data
      }
    },
    { WAYSTATION_STREAMS_KEY: '1' }
  )
  const first = open()
  await first.socketOpen
  const response = await refusedWith()
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '5'])
  first.socket.close()
  await first.closed
  await expect
    .poll(async () => {
      const { socket } = open()
      const outcome = await Promise.race([
        once(socket, 'open').then(() => 101),
        once(socket, 'unexpected-response').then(([, response]) => response.statusCode)
      ])
      return outcome
    })
    .toBe(101)
})
