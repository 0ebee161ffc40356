import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request that the external system received. */
export type ExternalRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** An external system on 127.0.0.1 with the requests that it received. */
export type ExternalSystem = {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** `127.0.0.1:<port>`, for WAYSTATION_EGRESS_ALLOW. */
  host: string
  requests: ExternalRequest[]
  /** Resolves with the request at this index (from 0) as soon as it arrives. */
  request(index: number): Promise<ExternalRequest>
}

/**
 * Starts an external system for this test. `answer` writes the response; if it never ends the response, the caller
 * waits.
 */
export async function startExternalSystem(
  answer: (response: ServerResponse, request: ExternalRequest, index: number) => void = response =>
    void response.end('ok')
): Promise<ExternalSystem> {
  const requests: ExternalRequest[] = []
  const waiters: { index: number; arrived: (request: ExternalRequest) => void }[] = []
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body
    }
    const index = requests.push(request) - 1
    for (const waiter of waiters) if (waiter.index === index) waiter.arrived(request)
    answer(response, request, index)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    request: index =>
      requests[index]
        ? Promise.resolve(requests[index])
        : new Promise(arrived => waiters.push({ index, arrived }))
  }
}
