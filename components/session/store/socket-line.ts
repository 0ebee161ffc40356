import type { ErrorBody, ErrorCode } from '@waystation/protocol/error-body.ts'
import type { ServerFrame } from '@waystation/protocol/socket.ts'
import { chunksOf } from './chunks-of.ts'
import { type Heard, type Line, Refused } from './follow.ts'

/**
 * Returns the credential for a socket, or undefined if the browser's cookie is enough. Called with a
 * `refused` credential, it returns another one if there is one.
 */
export type Token = (refused?: string) => Promise<string | undefined>

type SocketLine = {
  baseUrl: string
  sessionId: string
  token?: Token | undefined
  /** Used if no socket opens, because a proxy does not pass upgrades or the page's policy forbids sockets. */
  otherwise: Line
}

/** How long a socket can take to receive its first frame, in milliseconds. */
const patience = 5000

const final: readonly ErrorCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'FOREIGN_ORIGIN', 'NOT_FOUND', 'EXPIRED']

/**
 * Follows a session over `/ws` (docs/websocket.md). Browsers open hundreds of sockets to a host, but only six
 * other HTTP/1.1 connections. With an event stream in each tab, the seventh tab would not load.
 */
export const socketLine = ({ baseUrl, sessionId, token, otherwise }: SocketLine): Line =>
  async function* (after, signal) {
    const secret = await token?.()
    if (signal.aborted) return
    const hello = JSON.stringify({ type: 'hello', sessionId, after, token: secret })
    let isAnswered = false
    for await (const text of textsOf(baseUrl, hello, signal)) {
      isAnswered = true
      const frame = JSON.parse(text) as ServerFrame
      if (frame.type === 'error') throw await faultOf(frame, secret, token)
      yield heardIn(frame)
    }
    if (!isAnswered && !signal.aborted) yield* otherwise(after, signal)
  }

function heardIn(frame: ServerFrame): Heard {
  if (frame.type === 'session_ready') return { up: frame.uptime }
  return frame.type === 'event' ? { event: frame.event } : 'alive'
}

/**
 * Returns the error that ends this connection. An expired credential is not final if `token` has another one,
 * which the next attempt uses.
 */
async function faultOf(
  { type, re, ...refusal }: Extract<ServerFrame, { type: 'error' }>,
  secret: string | undefined,
  token: Token | undefined
): Promise<Error> {
  const isOver = refusal.code === 'UNAUTHENTICATED' && token !== undefined && (await token(secret)) !== secret
  return final.includes(refusal.code) && !isOver
    ? new Refused(refusal satisfies ErrorBody)
    : new Error(refusal.error)
}

/**
 * Yields the frames of a socket that sends `hello` first. Ends without an error when the socket closes or
 * does not open.
 */
async function* textsOf(baseUrl: string, hello: string, signal: AbortSignal): AsyncGenerator<string> {
  let socket: WebSocket | undefined
  let isOver = false
  let end = () => {}
  const texts = new ReadableStream<string>({
    start(controller) {
      end = () => {
        if (!isOver) controller.close()
        isOver = true
      }
      try {
        socket = new WebSocket(addressOf(baseUrl))
      } catch {
        // Some browsers throw if the page's policy forbids the socket (Firefox: SecurityError).
        return end()
      }
      socket.onopen = () => socket?.send(hello)
      socket.onmessage = ({ data }) => {
        clearTimeout(slow)
        if (!isOver) controller.enqueue(String(data))
      }
      socket.onclose = end
    },
    cancel() {
      isOver = true
    }
  })
  const slow = setTimeout(end, patience)
  signal.addEventListener('abort', end, { once: true })
  try {
    yield* chunksOf(texts)
  } finally {
    clearTimeout(slow)
    signal.removeEventListener('abort', end)
    socket?.close()
  }
}

/** Returns the address with `ws:` or `wss:`, because some browsers do not accept `http:` for a socket. */
function addressOf(baseUrl: string): string {
  const url = new URL(`${baseUrl}/ws`, globalThis.location?.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
