import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type OtherSystemRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** Another system on 127.0.0.1: what it was asked, and what it says. */
export type OtherSystem = {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** `127.0.0.1:<port>`, for WAYSTATION_EGRESS_ALLOW. */
  host: string
  requests: OtherSystemRequest[]
  /** Resolves with the request of this index (from 0) once it is in. */
  request(index: number): Promise<OtherSystemRequest>
}

/** Starts one for this test. `answer` writes the response; one that never ends it holds the caller. */
export async function startOtherSystem(
  answer: (response: ServerResponse, request: OtherSystemRequest, index: number) => void = response =>
    void response.end('ok')
): Promise<OtherSystem> {
  const requests: OtherSystemRequest[] = []
  const arrivals: { index: number; arrived: (request: OtherSystemRequest) => void }[] = []
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body
    }
    const index = requests.push(request) - 1
    for (const one of arrivals) if (one.index === index) one.arrived(request)
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
        : new Promise(arrived => arrivals.push({ index, arrived }))
  }
}
