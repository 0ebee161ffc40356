import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { openApi } from '#scripts/serve/api.ts'
import { upgrade } from '#scripts/serve/upgrades.ts'

/** Serves the API and `/ws` over real HTTP, like `server.ts`. Returns the URL. */
export async function serveApi(): Promise<string> {
  const api = openApi()
  const server = createServer((request, response) => {
    if (!api(request, response)) response.writeHead(405).end()
  })
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, false))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
