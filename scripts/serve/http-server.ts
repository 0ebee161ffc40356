import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Handles one request. It must end the response. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** The HTTP port, open from the start. Early requests wait until `open` sets the handler. */
export type OpenServer = {
  server: Server
  port: number
  /** Sets the handler for all requests, including those that already wait. */
  open(handler: Handler): void
  /** Stops accepting connections. Running requests continue. */
  shut(): void
  /** Waits up to `patience` milliseconds for running requests, then closes all connections. */
  drain(patience: number): Promise<void>
}

/** Starts to listen. Throws an error with advice if it cannot. */
export async function openHttpServer(host: string, port: number): Promise<OpenServer> {
  const opened = Promise.withResolvers<Handler>()
  const server = createServer(async (request, response) => (await opened.promise)(request, response))
  // Longer than the idle timeout of a reverse proxy, which could otherwise send a request on a connection that just
  // closes.
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
    async drain(timeoutMs) {
      const drained = new Promise<void>(done => server.close(() => done()))
      await Promise.race([drained, pause(timeoutMs, undefined, { ref: false })])
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
