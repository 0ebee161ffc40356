import { connect as tcp } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createToken } from '#lib/auth/create-token.ts'
import { serveApi } from '#tests/support/serve-api.ts'
import { testWorld } from '#tests/support/world.ts'

const wait = (ms: number) => new Promise(r => setTimeout(r, ms))

test('ping flood', async () => {
  await testWorld()
  const url = new URL(await serveApi())
  const socket = tcp(Number(url.port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n')
  console.log(String((await once(socket, 'data'))[0]))
  socket.pause()
  socket.on('error', e => console.log(String(e)))
  socket.on('close', () => console.log('closed'))
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
