import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { keyOf } from './keys.ts'
import type { Random } from './seeded.ts'

/** What the external agent was sent. */
export type Delivered = { session: string; key: string; delivery: string; callbackUrl: string }

/** Everything outside of Waystation: pages whose reading counts as an effect, and an external agent. */
export type Outside = AsyncDisposable & {
  url: string
  /** `127.0.0.1:<port>`, for WAYSTATION_EGRESS_ALLOW. */
  host: string
  /** The paths that were asked for. */
  effects: string[]
  delivered: Delivered[]
  /** Called with each message that the agent is sent for the first time. */
  onMessage(listener: (message: Delivered) => void): void
}

/** Starts it. Its pages take up to 300 ms; the agent refuses one message in twelve and is sent it again. */
export async function startOutside(random: Random): Promise<Outside> {
  const effects: string[] = []
  const delivered: Delivered[] = []
  const known = new Set<string>()
  let listener: (message: Delivered) => void = () => undefined
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url !== '/agent') {
      effects.push(request.url ?? '')
      await pause(random.below(300))
      return void response.setHeader('content-type', 'text/plain').end('ok')
    }
    if (random.chance(1 / 12)) return void response.writeHead(503).end()
    const { sessionId, callbackUrl, message } = JSON.parse(body)
    const delivery = String(request.headers['idempotency-key'])
    const sent = { session: sessionId, key: keyOf(message.text), delivery, callbackUrl }
    delivered.push(sent)
    response.end('{"ok":true}')
    if (!known.has(delivery)) listener(sent)
    known.add(delivery)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    effects,
    delivered,
    onMessage: next => (listener = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    }
  }
}
