import { Socket } from 'node:net'

/** The driver's options for the address: parallel lists of hosts and ports, or the path of a Unix socket. */
type Address = { host: string[]; port: number[]; path: string | false }

let dialCount = 0

/**
 * Opens a connection to Postgres for the driver, without Nagle's algorithm. With it, a statement that follows
 * another one at once waits until the server acknowledges the first, 40 ms later. The driver (postgres 3.4) does
 * not turn it off.
 *
 * The driver writes while the socket still connects; the socket buffers this. Several hosts are tried in turn, like
 * in the driver.
 */
export function dial({ host, port, path }: Address): Socket {
  const n = dialCount++
  const target = path
    ? { path }
    : { host: host[n % host.length] as string, port: port[n % port.length] as number, noDelay: true }
  // The driver names the server by these properties in its errors and in TLS.
  const socket = Object.assign(new Socket(), target)
  // The driver adds its listeners after it receives the socket, so an immediate failure (no route, no free port)
  // must come later.
  setImmediate(() => socket.connect(target))
  return socket
}
