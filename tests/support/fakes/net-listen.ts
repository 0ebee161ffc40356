import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

type Listening = AsyncDisposable & { port: number; origin: string; connections: () => number }

/** Starts a TCP server that counts its connections, by default on all loopback addresses of both families. */
export async function accepting<S extends Server>(
  server: S,
  host?: string
): Promise<Listening & { server: S }> {
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    server,
    port,
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

/** Starts an HTTP server that records its requests. `/moved?to=…&status=…` redirects. */
export async function serving(
  handler: RequestListener = (_request, response) => response.end('hello'),
  host?: string
) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname !== '/moved') return handler(request, response)
    // Servers send the bytes of UTF-8. Node takes a header with one character for each byte.
    const location = Buffer.from(url.searchParams.get('to') ?? '/').toString('latin1')
    response.writeHead(Number(url.searchParams.get('status') ?? 302), { location }).end('moved')
  })
  return { ...(await accepting(server, host)), requests }
}

/** Returns a URL that redirects to `to`. */
export const moved = (origin: string, to: string, status = 302) =>
  `${origin}/moved?status=${status}&to=${encodeURIComponent(to)}`
