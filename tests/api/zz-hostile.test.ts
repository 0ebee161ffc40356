import { connect as tcp } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createToken } from '#lib/auth/create-token.ts'
import { serveApi } from '#tests/support/serve-api.ts'
import { testWorld } from '#tests/support/world.ts'

const wait = (ms: number) => new Promise(r => setTimeout(r, ms))

test('rst after upgrade elsewhere', async () => {
  await testWorld()
  const url = new URL(await serveApi())
  for (const mode of ['rst-now', 'rst-after', 'fin', 'stay'] as const) {
    const socket = tcp(Number(url.port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    if (mode === 'rst-now') { await wait(2); socket.resetAndDestroy() }
    else {
      await once(socket, 'data')
      let ended = false
      socket.on('end', () => { ended = true })
      if (mode === 'rst-after') socket.resetAndDestroy()
      if (mode === 'fin') socket.end()
      if (mode === 'stay') { await wait(300); console.log('server ended?', ended); socket.write('x'.repeat(1000)); await wait(300); console.log('still', socket.destroyed); socket.destroy() }
    }
    await wait(200)
    console.log(mode, 'survived')
  }
  // with data pipelined in head + rst
  const socket = tcp(Number(url.port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write('GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n' + 'x'.repeat(100000))
  await wait(20); socket.resetAndDestroy(); await wait(200)
  console.log('done')
})

test('close reason too long', async () => {
  const world = await testWorld()
  const session = await world.session()
  const url = await serveApi()
  const { token } = await createToken(world.ctx, { sessionId: session.id, subject: 'ada', scopes: ['read'], ttlSeconds: 60 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { origin: `https://${'\u00e9'.repeat(150)}` } })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', sessionId: session.id, token }))
  const [data] = await once(socket, 'message')
  console.log(String(data))
  await wait(300)
  console.log('state', socket.readyState)
  socket.terminate()
})

test('bad token chars', async () => {
  const world = await testWorld()
  const session = await world.session()
  const url = await serveApi()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', sessionId: session.id, token: 'a\nb\u4e2d' }))
  const [data] = await once(socket, 'message')
  console.log(String(data))
  socket.terminate()
})

test('ping flood', async () => {
  await testWorld()
  const url = new URL(await serveApi())
  const socket = tcp(Number(url.port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  socket.on('error', () => {})
  const frame = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125, 97)])
  const many = Buffer.concat(Array.from({ length: 2000 }, () => frame))
  const before = process.memoryUsage()
  const end = Date.now() + 4000
  let sent = 0
  while (Date.now() < end && !socket.destroyed) {
    if (!socket.write(many)) await Promise.race([once(socket, 'drain').catch(() => {}), wait(500)])
    sent += many.length
    await wait(0)
  }
  const after = process.memoryUsage()
  console.log('sent MB', sent / 1e6, 'rss +MB', (after.rss - before.rss) / 1e6, 'ext', (after.external - before.external) / 1e6, 'heap', (after.heapUsed - before.heapUsed) / 1e6, 'destroyed', socket.destroyed)
  socket.destroy()
})
