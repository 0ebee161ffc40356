import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { keyOf } from './keys.ts'
import type { Random } from './seeded.ts'

/** A message that the external agent received. */
export type Delivered = { session: string; key: string; delivery: string; callbackUrl: string }

/** The services outside Waystation: pages that record each request as an effect, and an external agent. */
export type ExternalServices = AsyncDisposable & {
  url: string
  /** `127.0.0.1:<port>`, for WAYSTATION_EGRESS_ALLOW. */
  host: string
  /** The paths of all page requests. */
  effects: string[]
  delivered: Delivered[]
  /** Sets the listener for messages that the agent receives for the first time. */
  onMessage(listener: (message: Delivered) => void): void
}

/**
 * Starts the services. A page takes up to 300 ms. The agent rejects one message in twelve, so Waystation sends it
 * again.
 */
export async function startExternalServices(random: Random): Promise<ExternalServices> {
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
