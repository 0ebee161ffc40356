import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** The one HTTP port, open from the first moment: whoever comes early waits until `let` says who answers. */
export type OpenServer = {
  server: Server
  port: number
  /** Sets who answers; also those who already wait. */
  open(handler: Handler): void
  /** Takes no new connections; running requests go on. */
  shut(): void
  /** Waits up to `patience` milliseconds for running requests, then cuts what is left. */
  drain(patience: number): Promise<void>
}

/** Listens. Throws a sentence with advice when it may not. */
export async function openHttpServer(host: string, port: number): Promise<OpenServer> {
  const opened = Promise.withResolvers<Handler>()
  const server = createServer(async (request, response) => (await opened.promise)(request, response))
  // Longer than a proxy in front keeps its idle connections: else it sends into one that we are just closing.
  server.keepAliveTimeout = 65_000
  await listen(server, host, port)
  return {
    server,
    port: (server.address() as AddressInfo).port,
    open: opened.resolve,
    shut() {
      server.close()
      server.closeIdleConnections()
    },
    async drain(patience) {
      const emptied = new Promise<void>(done => server.close(() => done()))
      await Promise.race([emptied, pause(patience, undefined, { ref: false })])
      server.closeAllConnections()
    }
  }
}

function listen(server: Server, host: string, port: number) {
  return new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(new Error(advice(error, host, port))))
    server.listen(port, host, done)
  })
}

function advice({ code, message }: NodeJS.ErrnoException, host: string, port: number) {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use, perhaps by another Waystation. Stop that process, or choose another port: PORT=${port + 1} npm start`
  if (code === 'EACCES')
    return `Port ${port} requires more privileges. Choose a port above 1023: PORT=3000 npm start`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST=${host} is not an address of this machine.`
  return `Cannot listen on ${host}, port ${port}: ${message}`
}
