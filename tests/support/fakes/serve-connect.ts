import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Api, openApi } from '#scripts/serve/api.ts'
import { openSamples } from '#scripts/serve/samples.ts'

/**
 * Serves the API, the connection pages and Acme over real HTTP, like `server.ts`. It listens before the server
 * exists, because the server needs this URL (`WAYSTATION_URL`).
 */
export async function serveConnect(): Promise<string> {
  const api = openApi()
  const server = createServer((request, response) => {
    if (samples?.(request, response) || api(request, response)) return
    response.writeHead(405).end()
  })
  let samples: Api | undefined
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  samples = openSamples({ local: true, url, authSecret: 'a secret of thirty-two characters' })
  return url
}
