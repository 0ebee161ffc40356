import { once } from 'node:events'
import { createServer as createHttp2 } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** An empty HTTP/2 settings frame, with which a server starts a connection. */
const hello = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
/** Headers of a stream that does not exist, truncated inside their compression. */
const wrongHeaders = Buffer.from([0, 0, 4, 1, 4, 0, 0, 0, 9, 0xff, 0xff, 0xff, 0xff])
/** A frame that declares a length of 16 MB. */
const longFrame = Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])

/** Servers that accept a connection but are no gRPC servers, by behavior. */
export const gibberish: Record<string, (socket: Socket) => void> = {
  'hangs up': socket => socket.destroy(),
  'says nothing': () => undefined,
  'says noise': socket => void socket.write(Buffer.alloc(70_000, 0xa7)),
  'speaks HTTP/1': socket => void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
  'sends headers that cannot be read': socket => void socket.write(Buffer.concat([hello, wrongHeaders])),
  'sends a frame that is too long': socket => void socket.write(Buffer.concat([hello, longFrame])),
  'floods with pings': socket => {
    socket.write(hello)
    const ping = Buffer.concat(
      Array.from({ length: 500 }, () => Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, ...hello.subarray(0, 8)]))
    )
    const sendPings = () => socket.writable && socket.write(ping, () => setImmediate(sendPings))
    sendPings()
  }
}

/** HTTP/2 responses that are not valid gRPC, each with headers, body and trailers. */
export const wrongAnswers: Record<string, { headers: object; body: Buffer; trailers?: object }> = {
  'a page': { headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Hello</h1>') },
  'no status': { headers: { 'content-type': 'application/grpc' }, body: Buffer.alloc(0) },
  'half a message': {
    headers: { 'content-type': 'application/grpc' },
    body: Buffer.from([0, 0, 0, 1, 0, 7]),
    trailers: { 'grpc-status': '0' }
  },
  'a message that is none': {
    headers: { 'content-type': 'application/grpc' },
    body: Buffer.from([0, 0, 0, 0, 3, 0xff, 0xff, 0xff]),
    trailers: { 'grpc-status': '0' }
  },
  'a packed message': {
    headers: { 'content-type': 'application/grpc', 'grpc-encoding': 'gzip' },
    body: Buffer.from([1, 0, 0, 0, 3, 0x1f, 0x8b, 0x08]),
    trailers: { 'grpc-status': '0' }
  },
  'a message of 4 GB': {
    headers: { 'content-type': 'application/grpc' },
    body: Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1]),
    trailers: { 'grpc-status': '0' }
  },
  'a status that is none': {
    headers: { 'content-type': 'application/grpc' },
    body: Buffer.alloc(0),
    trailers: { 'grpc-status': 'fine' }
  }
}

/** Starts a server that handles each connection with `treat`, until the test ends. Returns its port. */
export async function serveGibberish(treat: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    treat(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Starts an HTTP/2 server that always sends this response, until the test ends. Returns its port. */
export async function serveWrongAnswer(answer: (typeof wrongAnswers)[string]): Promise<number> {
  const server = createHttp2()
  server.on('session', session => onTestFinished(() => session.destroy()))
  server.on('stream', stream => {
    stream.on('error', () => undefined)
    stream.respond({ ':status': 200, ...answer.headers }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ ...answer.trailers }))
    stream.end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
