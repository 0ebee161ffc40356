import { type IncomingMessage, Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@waystation/base/api-error.ts'
import { WebSocketServer } from 'ws'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { retryAfter } from '#lib/features/limits/open-limits.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { clientAddress, peerHeader } from '#lib/http/request/client-address.ts'
import { openPluginStream, rejectUpgrade, streamAt } from '#lib/http/sockets/admit-stream.ts'
import { relayStream } from '#lib/http/sockets/relay-stream.ts'
import { type SocketVerbs, serveSocket } from '#lib/http/sockets/serve-socket.ts'
import { takePlace } from '#lib/http/sockets/unknown-sockets.ts'
import { openStream } from '#lib/plugins/views/open-stream.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'

/**
 * An HTTP server that never listens, for Next. Next adds its own `upgrade` listener to its server, which ends every
 * socket whose path matches any page. This server passes on only the sockets that belong to Next.
 */
export const shadow = new Server()

/** The operations of `/ws` (000-9), the same as those of the HTTP endpoints. */
const verbs: SocketVerbs = {
  follow: followSession,
  send: sendMessage,
  sendOutOfBand: (ctx, input) => sendOutOfBand(ctx, input),
  answer: answerCall,
  cancel: cancelTurn
}

/** The limit for a frame is the limit for any request body of the API. */
const sockets = new WebSocketServer({ noServer: true, maxPayload: 2 * 1024 * 1024, perMessageDeflate: false })

/** A message to or from a plugin has at most 1 MB. */
const streams = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024, perMessageDeflate: false })

/**
 * Handles an upgrade. Three kinds of paths can become sockets; all others are closed with 404:
 *
 * - plugin streams, if the caller is authorized;
 * - `/ws`, for any caller, who must then send a hello message;
 * - Next's hot reload, in development.
 */
export function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, dev: boolean) {
  const [path] = (request.url ?? '').split('?', 1)
  if (path === '/ws') {
    const fetchRequest = new Request(new URL(path, 'http://localhost'), { headers: headersOf(request) })
    const release = takePlace(clientAddress(fetchRequest.headers))
    if (release === undefined) return void reject(socket, fetchRequest.headers, tooManyUnknown())
    socket.once('close', release)
    sockets.handleUpgrade(request, socket, head, open => serveSocket(open, fetchRequest, verbs, release))
  } else if (streamAt(path ?? '') !== undefined) void upgradeToPluginStream(request, socket, head)
  else if (dev && request.url?.startsWith('/_next/')) shadow.emit('upgrade', request, socket, head)
  else rejectSocket(socket)
}

/**
 * Opens a plugin stream. Responds with an HTTP error before the upgrade, so that the caller can read the reason.
 */
async function upgradeToPluginStream(request: IncomingMessage, socket: Duplex, head: Buffer) {
  socket.on('error', () => socket.destroy())
  const url = new URL(request.url ?? '', 'http://localhost')
  const fetchRequest = new Request(url, { headers: headersOf(request) })
  const address = streamAt(url.pathname)
  if (address === undefined) return rejectSocket(socket)
  try {
    const { ctx, place } = await openPluginStream(fetchRequest)
    socket.once('close', place.leave)
    if (socket.destroyed) return place.leave()
    const stream = await openStream(ctx, address)
    streams.handleUpgrade(request, socket, head, open => relayStream(open, stream, place))
  } catch (error) {
    await reject(socket, fetchRequest.headers, error)
  }
}

async function reject(socket: Duplex, headers: Headers, error: unknown) {
  socket.on('error', () => socket.destroy())
  const response = await rejectUpgrade(headers, error)
  const body = Buffer.from(await response.arrayBuffer())
  const lines = [...response.headers, ['connection', 'close'], ['content-length', String(body.length)]]
  socket.once('finish', () => socket.destroy())
  socket.write(`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n`)
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
  socket.end(body)
}

const tooManyUnknown = () =>
  new ApiError(
    'RATE_LIMITED',
    `Too many sockets from this address have not sent a hello message. Send one or close a socket, then retry in ${retryAfter} s.`,
    { retryAfter }
  )

/**
 * Closes a socket with 404. Node no longer handles its errors or its end: without these listeners, a client that
 * disconnects would end the process, and one that stays would keep it open.
 */
function rejectSocket(socket: Duplex) {
  socket.on('error', () => socket.destroy())
  socket.once('finish', () => socket.destroy())
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** Returns a request's headers with the client IP of the connection, which a client cannot override. */
export const headersOf = ({ headersDistinct, socket }: IncomingMessage): Headers =>
  new Headers(
    Object.entries({ ...headersDistinct, [peerHeader]: [socket.remoteAddress ?? ''] }).flatMap(
      ([name, values = []]) => values.map(value => [name, value] as [string, string])
    )
  )
