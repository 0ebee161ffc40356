import { once } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { anyText, fuzz, fuzzTimeout, mutated } from '#tests/support/fuzz.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const deep = (open: string, close: string) =>
  fc.integer({ min: 1, max: 5_000 }).map(depth => open.repeat(depth) + close.repeat(depth))

test(
  '22 A1: for any frames before or after hello, the server responds or closes the socket, and keeps running',
  async () => {
    // The last sockets can still be connecting while the server stops.
    allowErrors(/CONNECTION_ENDED/)
    const server = await startTestServer({ settings: { WAYSTATION_LIMIT_KEY: '1000000' } })
    const session = await server.startSession()
    const url = (await serveApi()).replace('http', 'ws')
    const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'viewer' })
    const tool = {
      name: 'a',
      inputSchema: { type: 'object', properties: { a: { type: ['object', 'object'] } } }
    }
    const { id: sessionId } = session
    const frames = [
      { type: 'hello', sessionId, token: secret },
      { type: 'hello', sessionId, after: '3' },
      { type: 'user_message', text: 'hi', clientTools: [tool] },
      {
        type: 'text_input',
        text: 'hi',
        clientMessageId: 'm',
        files: ['f'],
        parts: [{ type: 'text', text: 'x' }]
      },
      { type: 'oob', content: 'hi', priority: 'critical', metadata: { a: [1] } },
      { type: 'answer', toolCallId: 'c', answer: { approved: true } },
      { type: 'cancel', calls: true },
      { type: 'ping', id: 'p' }
    ].map(frame => JSON.stringify(frame))
    const pieces = ['"', '{', '}', '[', ']', ':', ',', '\\', 'null', '-1e999', '"type":"hello",', '\u0000']
    const frame = fc.oneof(
      { weight: 6, arbitrary: mutated(fc.constantFrom(...frames), pieces) },
      { weight: 2, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.oneof(deep('[', ']'), deep('{"a":', '}'), anyText(3_000)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) }
    )
    await fuzz(fc.record({ isKnown: fc.boolean(), sent: fc.array(frame, { maxLength: 6 }) }), async input => {
      const authorization = `Bearer ${secret}`
      const socket = new WebSocket(`${url}/ws`, input.isKnown ? { headers: { authorization } } : {})
      try {
        const closed = once(socket, 'close')
        const ponged = new Promise(resolve =>
          socket.on('message', data => String(data).includes('"re":"end"') && resolve(undefined))
        )
        await once(socket, 'open')
        if (input.isKnown) socket.send(frames[0] ?? '')
        for (const frame of input.sent) socket.send(frame)
        socket.send('{"type":"ping","id":"end"}')
        await Promise.race([closed, ponged])
      } finally {
        socket.terminate()
      }
    })
    expect((await session.get()).messages).toEqual([])
  },
  fuzzTimeout
)
