import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createClient, type WaystationError } from '#packages/client/src/index.ts'

type Hello = { sessionId: string; after: number; token?: string }

/**
 * Starts a real server of `/ws`, whose event stream has one event. `onHello` receives each hello with its
 * number.
 */
async function serve(onHello: (socket: WebSocket, hello: Hello, nth: number) => void) {
  const http = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'waystation-uptime': '7' })
    response.write(`data: ${JSON.stringify({ seq: 1, type: 'status' })}\n\n`)
  })
  const sockets = new WebSocketServer({ server: http, path: '/ws' })
  const hellos: Hello[] = []
  sockets.on('connection', socket =>
    socket.on('message', data => {
      const hello = JSON.parse(String(data)) as Hello
      onHello(socket, hello, hellos.push(hello))
    })
  )
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, hellos, sockets }
}

const say = (socket: WebSocket, ...frames: object[]) => {
  for (const frame of frames) socket.send(JSON.stringify(frame))
}
const event = (seq: number) => ({ type: 'event', event: { seq, type: 'status' } })
const ready = { type: 'session_ready', sessionId: 's1', uptime: 3 }
/** Follows until the test ends. `told` contains the event numbers, and `lines` the connection changes. */
function followed(url: string, token?: () => Promise<string>) {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const told: number[] = []
  const lines: unknown[] = []
  const client = createClient({
    url,
    backoff: { first: 5, longest: 5 },
    ...(token === undefined ? {} : { token })
  })
  const follow = async () => {
    const events = client.session('s1').events({
      after: 0,
      signal: ending.signal,
      socket: true,
      onConnection: (line, uptime) => lines.push(uptime ?? line)
    })
    try {
      for await (const { seq } of events) told.push(seq)
    } catch (error) {
      lines.push((error as WaystationError).code)
    }
  }
  return { told, lines, over: follow(), stop: () => ending.abort() }
}

test('22 B6: after a socket breaks, the next one continues after the last event and closes when following ends', async () => {
  const { url, hellos, sockets } = await serve((socket, _, nth) => {
    if (nth === 1) {
      say(socket, ready, event(1), event(2))
      socket.close(1012)
    } else say(socket, ready, { type: 'alive' }, event(3))
  })
  const { told, lines, stop } = followed(url)
  await expect.poll(() => told).toEqual([1, 2, 3])
  expect(hellos).toEqual([
    { type: 'hello', sessionId: 's1', after: 0 },
    { type: 'hello', sessionId: 's1', after: 2 }
  ])
  expect(lines).toEqual([3, 'down', 3])
  stop()
  await expect.poll(() => sockets.clients.size).toBe(0)
})

test('22 B6: an expired token is replaced, and following ends if there is no other token', async () => {
  const { url, hellos } = await serve((socket, _, nth) => {
    if (nth === 2) say(socket, ready, event(1))
    say(socket, { type: 'error', code: nth === 3 ? 'RATE_LIMITED' : 'UNAUTHENTICATED', error: 'No.' })
  })
  const secrets = ['first', 'second', 'third']
  const { lines, over } = followed(url, async () => (secrets.length > 1 ? secrets.shift() : secrets[0]) ?? '')
  await over
  expect(hellos.map(({ token }) => token)).toEqual(['first', 'second', 'third', 'third'])
  expect(lines).toEqual(['down', 3, 'down', 'down', 'UNAUTHENTICATED'])
})

test('22 B6: if no socket opens or none responds, the event stream is followed', async () => {
  const shut = await serve(() => undefined)
  shut.sockets.options.verifyClient = () => false
  const refused = followed(shut.url)
  await expect.poll(() => refused.told).toEqual([1])
  expect(refused.lines).toEqual([7])

  const silent = await serve(() => undefined)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const unheard = followed(silent.url)
  await vi.waitFor(() => expect(silent.hellos).toHaveLength(1))
  expect(unheard.lines).toEqual([])
  await vi.advanceTimersByTimeAsync(5000)
  await vi.waitFor(() => expect(unheard.told).toEqual([1]))
})
