import { type IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { answerCall } from '#lib/calls/answer.ts'
import { type SocketVerbs, serveSocket } from '#lib/http/sockets/serve-socket.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { sendOutOfBand } from '#lib/sessions/send-out-of-band.ts'

/**
 * Next adds an `upgrade` listener of its own to the server it is given, and that one ends every socket whose path
 * matches any page. So Next gets this server, which never listens, and we hand it only what is its own.
 */
export const shadow = new Server()

/** What `/ws` does (000-9): the verbs of the HTTP doors. */
const verbs: SocketVerbs = {
  follow: followSession,
  send: sendMessage,
  tell: (ctx, input) => sendOutOfBand(ctx, input),
  answer: answerCall,
  cancel: cancelTurn
}

/** A frame is at most as large as any body of the API. */
const sockets = new WebSocketServer({ noServer: true, maxPayload: 2 * 1024 * 1024, perMessageDeflate: false })

/**
 * Who gets a socket: `/ws`, where everybody may knock and must say hello; in development Next's hot reload; nobody else
 * has one, and a stranger's is closed.
 */
export function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, dev: boolean) {
  const [path] = (request.url ?? '').split('?', 1)
  if (path === '/ws') {
    const asked = new Request(new URL('/ws', 'http://localhost'), { headers: headersOf(request) })
    sockets.handleUpgrade(request, socket, head, open => serveSocket(open, asked, verbs))
  } else if (dev && request.url?.startsWith('/_next/')) shadow.emit('upgrade', request, socket, head)
  else turnAway(socket)
}

/**
 * Nobody looks after a socket that Node has handed over: unheard, a client that breaks off would end the process, and one
 * that stays would keep it open.
 */
function turnAway(socket: Duplex) {
  socket.on('error', () => socket.destroy())
  socket.once('finish', () => socket.destroy())
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

const headersOf = ({ headersDistinct }: IncomingMessage) =>
  Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map(value => [name, value] as [string, string])
  )
