import { connect, type Socket } from 'node:net'

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
  if (path) return connect({ path })
  const place = { host: host[dialled % host.length], port: port[dialled % port.length] as number }
  dialled += 1
  // For the driver, which names the server in its errors and in TLS by these.
  return Object.assign(connect({ ...place, noDelay: true }), place)
}
