import { type IncomingMessage, Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { retryAfter } from '#lib/features/limits/places.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { clientAddress, peerHeader } from '#lib/http/request/client-address.ts'
import { admitStream, refuseUpgrade, streamAt } from '#lib/http/sockets/admit-stream.ts'
import { relayStream } from '#lib/http/sockets/relay-stream.ts'
import { type SocketVerbs, serveSocket } from '#lib/http/sockets/serve-socket.ts'
import { takePlace } from '#lib/http/sockets/unknown-sockets.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { openStream } from '#lib/plugins/views/open-stream.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'

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

/** A message to or from a plugin has at most a megabyte. */
const streams = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024, perMessageDeflate: false })

/**
 * Who gets a socket: streams to plugins, for whoever is admitted at their address; `/ws`, where everybody may knock and must say hello; in development Next's hot reload; nobody else
 * has one, and a stranger's is closed.
 */
export function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, dev: boolean) {
  const [path] = (request.url ?? '').split('?', 1)
  if (path === '/ws') {
    const asked = new Request(new URL('/ws', 'http://localhost'), { headers: headersOf(request) })
    const release = takePlace(clientAddress(asked.headers))
    if (release === undefined) return void refuse(socket, asked.headers, tooManyUnknown())
    socket.once('close', release)
    sockets.handleUpgrade(request, socket, head, open => serveSocket(open, asked, verbs, release))
  } else if (streamAt(path ?? '') !== undefined) void openTo(request, socket, head)
  else if (dev && request.url?.startsWith('/_next/')) shadow.emit('upgrade', request, socket, head)
  else turnAway(socket)
}

/** Refuses in the place of the upgrade, so that whoever asks reads why. */
async function openTo(request: IncomingMessage, socket: Duplex, head: Buffer) {
  socket.on('error', () => socket.destroy())
  const url = new URL(request.url ?? '', 'http://localhost')
  const asked = new Request(url, { headers: headersOf(request) })
  const at = streamAt(url.pathname)
  if (at === undefined) return turnAway(socket)
  try {
    const { ctx, place } = await admitStream(asked)
    socket.once('close', place.leave)
    if (socket.destroyed) return place.leave()
    const stream = await openStream(ctx, at)
    streams.handleUpgrade(request, socket, head, open => relayStream(open, stream, place))
  } catch (error) {
    await refuse(socket, asked.headers, error)
  }
}

async function refuse(socket: Duplex, headers: Headers, error: unknown) {
  socket.on('error', () => socket.destroy())
  const answer = await refuseUpgrade(headers, error)
  const body = Buffer.from(await answer.arrayBuffer())
  const lines = [...answer.headers, ['connection', 'close'], ['content-length', String(body.length)]]
  socket.once('finish', () => socket.destroy())
  socket.write(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n`)
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
  socket.end(body)
}

const tooManyUnknown = () =>
  new Refusal(
    'RATE_LIMITED',
    `Too many sockets from this address have not sent a hello message. Send one or close a socket, then retry in ${retryAfter} s.`,
    { retryAfter }
  )

/**
 * Nobody looks after a socket that Node has handed over: unheard, a client that breaks off would end the process, and one
 * that stays would keep it open.
 */
function turnAway(socket: Duplex) {
  socket.on('error', () => socket.destroy())
  socket.once('finish', () => socket.destroy())
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** With whose connection it is, whatever the client says of that. */
export const headersOf = ({ headersDistinct, socket }: IncomingMessage): Headers =>
  new Headers(
    Object.entries({ ...headersDistinct, [peerHeader]: [socket.remoteAddress ?? ''] }).flatMap(
      ([name, values = []]) => values.map(value => [name, value] as [string, string])
    )
  )
