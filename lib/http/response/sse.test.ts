import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { type ServerSentEvent, sse } from './sse.ts'

const never = new AbortController().signal

/** A source to which a test adds events, and that reports when its iterator is returned. */
function source() {
  const queue: ServerSentEvent[] = []
  const returned = Promise.withResolvers<void>()
  let added = Promise.withResolvers<void>()
  let sentCount = 0
  async function* events() {
    try {
      for (;;) {
        while (queue.length > 0) {
          sentCount += 1
          yield queue.shift() as ServerSentEvent
        }
        await added.promise
        added = Promise.withResolvers()
      }
    } finally {
      returned.resolve()
    }
  }
  return {
    events: events(),
    returned: returned.promise,
    readCount: () => sentCount,
    send(...more: ServerSentEvent[]) {
      queue.push(...more)
      added.resolve()
    }
  }
}

async function* of(...events: ServerSentEvent[]) {
  yield* events
}

test('an event stream carries id, type and JSON, and sets the delay before a client reconnects', async () => {
  const response = sse(of({ id: 7, event: 'chunk', data: { text: 'a\nb\u2028c' } }, { data: null }), {
    signal: never
  })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no'
  })
  const seen: unknown[] = []
  const parser = createParser({
    onEvent: event => seen.push({ ...event, data: JSON.parse(event.data) }),
    onRetry: retry => seen.push({ retry })
  })
  parser.feed(await response.text())
  expect(seen).toEqual([
    { retry: 1000 },
    { id: '7', event: 'chunk', data: { text: 'a\nb\u2028c' } },
    { id: undefined, event: undefined, data: null }
  ])
})

test('a silent stream sends keep-alive comments', async () => {
  const { events } = source()
  const reader = sse(events, { signal: never, keepAliveMs: 5 }).body!.getReader()
  const texts = [await reader.read(), await reader.read(), await reader.read()].map(({ value }) =>
    new TextDecoder().decode(value)
  )
  expect(texts).toEqual(['retry: 1000\n\n', ': keep-alive\n\n', ': keep-alive\n\n'])
  await reader.cancel()
})

test('a client that cancels releases the source, even while it is silent', async () => {
  const { events, send, returned } = source()
  const reader = sse(events, { signal: never }).body!.getReader()
  send({ id: 1, data: 1 })
  await reader.read()
  await reader.read()
  await reader.cancel()
  send({ id: 2, data: 2 })
  await returned
})

test('an aborted signal ends the stream after all earlier events', async () => {
  const { events, send } = source()
  const stop = new AbortController()
  const response = sse(events, { signal: stop.signal })
  const reader = response.body!.getReader()
  await reader.read()
  send({ id: 1, data: 'last' })
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('id: 1\ndata: "last"\n\n')
  stop.abort()
  expect((await reader.read()).done).toBe(true)
})

test('a client that stops reading blocks only its own source, and is disconnected', async () => {
  const { events, send, readCount, returned } = source()
  const response = sse(events, { signal: never, bufferBytes: 200, stallMs: 20 })
  send(...Array.from({ length: 1000 }, (_, id) => ({ id, data: 'x'.repeat(50) })))
  await returned
  expect(readCount()).toBeLessThan(10)
  // The buffered events are discarded.
  await expect(response.text()).rejects.toThrow()
})

test('a slow client receives every event in order', async () => {
  const all = Array.from({ length: 300 }, (_, id) => ({ id, data: 'x'.repeat(50) }))
  const response = sse(of(...all), { signal: never, bufferBytes: 100, stallMs: 5000 })
  const ids: string[] = []
  const parser = createParser({ onEvent: event => ids.push(event.id ?? '') })
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    await new Promise(setImmediate)
    parser.feed(decoder.decode(chunk, { stream: true }))
  }
  expect(ids).toEqual(all.map(({ id }) => String(id)))
})

test('over a real socket each event arrives separately, and a closed connection releases the source', async () => {
  const { events, send, returned } = source()
  const disconnected = new AbortController()
  const closed = once(disconnected.signal, 'abort')
  const server = createServer((_, res) => {
    res.on('close', () => disconnected.abort())
    const response = sse(events, { signal: disconnected.signal })
    res.writeHead(200, Object.fromEntries(response.headers))
    Readable.fromWeb(response.body as WebStream)
      .on('error', () => {})
      .pipe(res)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }

  const req = httpRequest({ port, host: '127.0.0.1' }).end()
  const [res] = (await once(req, 'response')) as [import('node:http').IncomingMessage]
  await once(res, 'data')
  send({ id: 1, data: 'one' })
  expect(String((await once(res, 'data'))[0])).toBe('id: 1\ndata: "one"\n\n')
  send({ id: 2, data: 'two' })
  expect(String((await once(res, 'data'))[0])).toBe('id: 2\ndata: "two"\n\n')
  res.on('error', () => {})
  req.destroy()
  await closed
  send({ id: 3, data: 'three' })
  await returned
  server.close()
})
