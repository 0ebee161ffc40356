import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, expect } from '#tests/browser/test.ts'

/** An external agent that responds with 200 if it is up, and 503 if it is down. */
export type Outside = { port: number; up: boolean; stop(): void }

export async function startOutside(): Promise<Outside> {
  const server = createServer((_, response) => {
    const { up } = outside
    response.writeHead(up ? 200 : 503).end(up ? '' : 'Closed for today.\nTry the night counter.')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outside: Outside = {
    port: (server.address() as AddressInfo).port,
    up: true,
    stop() {
      server.closeAllConnections()
      server.close()
    }
  }
  return outside
}

/**
 * Creates an external agent and sends it two messages, of which the first fails and the second is delivered. Returns
 * their session IDs.
 */
export async function sendTwo(api: Api, outside: Outside, agentId: string): Promise<[string, string]> {
  const inputUrl = `http://127.0.0.1:${outside.port}/in/s3cret`
  await api('POST', '/api/agents', {
    agentId,
    displayName: 'Acme office',
    type: 'external',
    external: { inputUrl }
  })
  const [failed, delivered] = [`${agentId}-first`, `${agentId}-second`]
  outside.up = false
  await send(api, agentId, failed, 'failed')
  outside.up = true
  await send(api, agentId, delivered, 'delivered')
  return [failed, delivered]
}

type Deliveries = { deliveries: { state: string }[] }

async function send(api: Api, agentId: string, sessionId: string, state: string) {
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId })
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: 'Two crates, please.' })
  const path = `/api/sessions/${sessionId}/deliveries`
  await expect.poll(async () => (await api<Deliveries>('GET', path)).deliveries[0]?.state).toBe(state)
}
