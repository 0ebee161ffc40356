import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, expect } from '#tests/browser/test.ts'

/** An external agent that responds with 200 if it is up, and 503 if it is down. */
export type ExternalService = { port: number; up: boolean; stop(): void }

export async function startExternalService(): Promise<ExternalService> {
  const server = createServer((_, response) => {
    const { up } = externalSystem
    response.writeHead(up ? 200 : 503).end(up ? '' : 'Closed for today.\nTry the night counter.')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const externalSystem: ExternalService = {
    port: (server.address() as AddressInfo).port,
    up: true,
    stop() {
      server.closeAllConnections()
      server.close()
    }
  }
  return externalSystem
}

/**
 * Creates an external agent and sends it two messages, of which the first fails and the second is delivered. Returns
 * their session IDs.
 */
export async function sendTwo(
  api: Api,
  externalSystem: ExternalService,
  agentId: string
): Promise<[string, string]> {
  const inputUrl = `http://127.0.0.1:${externalSystem.port}/in/s3cret`
  await api('POST', '/api/agents', {
    agentId,
    displayName: 'Acme office',
    type: 'external',
    external: { inputUrl }
  })
  const [failed, delivered] = [`${agentId}-first`, `${agentId}-second`]
  externalSystem.up = false
  await send(api, agentId, failed, 'failed')
  externalSystem.up = true
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
