import { Socket } from 'node:net'

/** What the driver knows of where to go: hosts and ports side by side, or the path of a Unix socket. */
type Where = { host: string[]; port: number[]; path: string | false }

let dialled = 0

/**
 * Opens a connection to Postgres for the driver, without Nagle's algorithm: with it, a statement that follows another one
 * without waiting for its answer stays here until the other side acknowledges the first, 40 ms later. The driver (postgres
 * 3.4) does not turn it off itself. It writes while we still connect, which a socket holds back; several hosts are tried in
 * turn, as the driver does.
 */
export function dial({ host, port, path }: Where): Socket {
  const n = dialled++
  const place = path
    ? { path }
    : { host: host[n % host.length] as string, port: port[n % port.length] as number, noDelay: true }
  // The driver names the server in its errors and in TLS by these.
  const socket = Object.assign(new Socket(), place)
  // It listens once it has the socket: an address that fails at once (no route, no port left) must fail behind that.
  setImmediate(() => socket.connect(place))
  return socket
}
