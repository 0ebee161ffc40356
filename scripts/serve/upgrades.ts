import { type IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Next adds an `upgrade` listener of its own to the server it is given, and that one ends every socket whose path
 * matches any page. So Next gets this server, which never listens, and we hand it only what is its own.
 */
export const shadow = new Server()

/** Who gets a socket: in development Next's hot reload; nobody else has one, and a stranger's is closed. */
export function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, dev: boolean) {
  if (dev && request.url?.startsWith('/_next/')) shadow.emit('upgrade', request, socket, head)
  else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}
