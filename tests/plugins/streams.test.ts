import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createKey } from '#lib/auth/keys/create-key.ts'
import type { TwinOptions } from '#tests/support/fakes/plugins/start-twin.ts'
import { serveTwin } from '#tests/support/fakes/plugins/twin.ts'
import { serveApi } from '#tests/support/worlds/serve-api.ts'
import { signInCookie } from '#tests/support/worlds/sign-in-cookie.ts'
import { workspaceFolder } from '#tests/support/worlds/workspace-folder.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const views = [{ name: 'chat' }]

/** A server whose default workspace has a plugin that streams so, and how its stream is opened. */
async function withStream(options: TwinOptions = {}, settings: Record<string, string> = {}) {
  const twin = await serveTwin({ views, ...options })
  const world = await testWorld({
    settings: {
      ...settings,
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${twin.port}" }`)
    }
  })
  await world.ctx.ports.plugins?.settled('default', 20_000)
  const url = (await serveApi()).replace('http', 'ws')
  const open = (
    headers: Record<string, string> = { authorization: 'Bearer the-admin-key-of-every-test' },
    path = '/api/v1/workspaces/default/views/twin/stream'
  ) => {
    const socket = new WebSocket(`${url}${path}`, { headers })
    const heard: string[] = []
    const binary: boolean[] = []
    socket.on('message', (data, isBinary) => {
      heard.push(String(data))
      binary.push(isBinary)
    })
    socket.on('error', () => undefined)
    const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
    onTestFinished(() => socket.terminate())
    const opened = once(socket, 'open')
    // Who is refused never opens: nobody waits for either.
    for (const promise of [opened, closed]) promise.catch(() => undefined)
    return { socket, heard, binary, closed, opened }
  }
  /** The status in the place of an upgrade. */
  const refusedWith = async (...how: Parameters<typeof open>): Promise<IncomingMessage> => {
    const { socket } = open(...how)
    const [, response] = await once(socket, 'unexpected-response')
    return response
  }
  const refused = async (...how: Parameters<typeof open>) => (await refusedWith(...how)).statusCode
  /** Another request, answered. */
  const isServed = () => refused({})
  return { ...world, twin, open, refused, refusedWith, isServed }
}

test('003-14: the first that a plugin hears is who is there; then each message as it is, in its order, and answers as binary frames', async () => {
  const told: unknown[] = []
  const { open } = await withStream({
    async *stream(messages) {
      for await (const { data, metadata } of messages) {
        told.push([Buffer.from(data).toString('latin1'), metadata])
        if (data.length > 0) yield data
      }
    }
  })
  const { socket, heard, binary, opened } = open()
  await opened
  for (let n = 0; n < 500; n++) socket.send(n % 2 === 0 ? `${n}` : Buffer.from(`${n}`))
  await expect.poll(() => heard.length).toBe(500)
  expect(heard).toEqual(Array.from({ length: 500 }, (_, n) => String(n)))
  expect(binary.every(Boolean)).toBe(true)
  expect(told[0]).toEqual([
    '',
    { workspace_id: 'default', user_id: expect.stringContaining('key:'), user_email: '' }
  ])
  expect(told[1]).toEqual(['0', {}])
})

test('22 B4: a plugin is told the e-mail address of whoever has signed in', async () => {
  const told: unknown[] = []
  const world = await withStream({
    async *stream(messages) {
      for await (const { data, metadata } of messages) {
        told.push(metadata)
        yield data
      }
    }
  })
  const { open, sql, env } = world
  await sql`insert into users (id, name) values ('ada', 'Ada')`
  await sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'operator')`
  const cookie = await signInCookie(world, 'ada')
  await sql`update sign_ins set email = 'ada@example.com'`
  await open({ origin: env.url, cookie }).opened
  await expect
    .poll(() => told[0])
    .toEqual({ workspace_id: 'default', user_id: 'ada', user_email: 'ada@example.com' })
})

test('003-14: nobody, who may only look, another workspace and a plugin without views get no socket', async () => {
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

test('003-14: a stream that the plugin ends is over with 1000; one whose plugin goes with 1013; a message over a megabyte with 1009', async () => {
  const ends = await withStream({
    async *stream() {
      yield Buffer.from('bye')
    }
  })
  const short = ends.open()
  expect(await short.closed).toMatchObject({ code: 1000 })
  expect(short.heard).toEqual(['bye'])

  const { open, twin } = await withStream()
  const large = open()
  await large.opened
  large.socket.send(Buffer.alloc(1024 * 1024 + 1))
  expect(await large.closed).toMatchObject({ code: 1009 })
  const left = open()
  await left.opened
  left.socket.send('hi')
  await expect.poll(() => left.heard.length).toBeGreaterThan(0)
  await twin.stop()
  expect(await left.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('unavailable') })
  const late = open()
  expect(await late.closed).toMatchObject({ code: 1013 })
})

/** The server's side of the next connection that a server of this process accepts. */
function nextConnection(): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>()
  const add = (accepted: unknown) => resolve((accepted as { socket: Socket }).socket)
  subscribe('net.server.socket', add)
  return promise.finally(() => unsubscribe('net.server.socket', add))
}

/**
 * Resolves with a measure once it is over `least` and no longer changes while the same process answers five other requests,
 * one after the other. Everything runs in one event loop, so what can go on has gone on by then.
 */
async function standsStill(
  measure: () => number,
  least: number,
  request: () => Promise<unknown>
): Promise<number> {
  for (;;) {
    const before = measure()
    for (let asked = 0; asked < 5; asked++) await request()
    if (before > least && measure() === before) return before
  }
}

test('003-14: a plugin that does not read holds back a client that floods it, and a client that does not read holds back the plugin', async () => {
  const { promise: never, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  const deaf = await withStream({
    // biome-ignore lint/correctness/useYield: it says nothing
    async *stream() {
      await never
    }
  })
  const accepted = nextConnection()
  const flood = deaf.open()
  const connection = await accepted
  await flood.opened
  const piece = Buffer.alloc(64 * 1024)
  for (let n = 0; n < 1000; n++) flood.socket.send(piece)
  // The client keeps what the server does not read. The server has read a part of 62 MB.
  expect(await standsStill(() => connection.bytesRead, 1_000_000, deaf.isServed)).toBeLessThan(30_000_000)

  let said = 0
  const loud = await withStream({
    async *stream() {
      for (; said < 1500; said++) yield Buffer.alloc(64 * 1024)
    }
  })
  const listener = loud.open()
  await listener.opened
  listener.socket.pause()
  const held = await standsStill(() => said, 10, loud.isServed)
  expect(held).toBeLessThan(1000)
  listener.socket.resume()
  expect(await listener.closed).toMatchObject({ code: 1000 })
  expect(listener.heard).toHaveLength(1500)
}, 180_000)

test('003-14: when the browser goes, the plugin is told so, and has two seconds to end', async () => {
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
  const { socket, opened, heard } = open()
  await opened
  socket.send('hi')
  await expect.poll(() => heard).toContain('hi')
  socket.close()
  await expect.poll(() => ended).toBe('told')
})

test('22 A4: a stream to a plugin is an open stream of its reader; one too many gets 429 in the place of the upgrade', async () => {
  const { open, refusedWith } = await withStream(
    {
      async *stream(messages) {
        for await (const { data } of messages) yield data
      }
    },
    { WAYSTATION_STREAMS_KEY: '1' }
  )
  const first = open()
  await first.opened
  const answer = await refusedWith()
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '5'])
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
