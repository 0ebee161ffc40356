import { WaystationError } from './error.ts'
import type { Connection, Received } from './follow.ts'
import type { ApiError, SessionEvent } from './types.ts'

type Socket = {
  /** The server's origin. Empty for the origin of the page. */
  url: string
  sessionId: string
  /**
   * Returns the credential, or undefined if the browser's cookie is enough. Called with a rejected
   * credential, it returns another one if there is one.
   */
  token: (refused?: string) => Promise<string | undefined>
  /** Used if no socket opens, because a proxy does not pass upgrades or the page's policy forbids sockets. */
  otherwise: Connection
}

/** The frames that a client receives if it only follows a session (docs/websocket.md). */
type Frame =
  | { type: 'session_ready'; uptime: number }
  | { type: 'event'; event: SessionEvent }
  | { type: 'alive' }
  | ({ type: 'error' } & ApiError)

/** How long a socket can take to receive its first frame, in ms. */
const patience = 5000

/** The HTTP statuses of the errors after which a retry is pointless. */
const statuses: Partial<Record<ApiError['code'], number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  FOREIGN_ORIGIN: 403,
  NOT_FOUND: 404,
  EXPIRED: 410
}

/** Follows a session over `/ws`. */
export const socketTo = ({ url, sessionId, token, otherwise }: Socket): Connection =>
  async function* (after, signal) {
    const secret = await token()
    if (signal.aborted) return
    const hello = JSON.stringify({ type: 'hello', sessionId, after, token: secret })
    let isAnswered = false
    for await (const text of textsOf(url, hello, signal)) {
      isAnswered = true
      const frame = JSON.parse(text) as Frame
      if (frame.type !== 'error') yield receivedIn(frame)
      else {
        // An expired credential is not final if there is another one, which the next connection uses.
        if (frame.code === 'UNAUTHENTICATED' && (await token(secret)) !== secret) return
        throw new WaystationError(statuses[frame.code] ?? 503, frame)
      }
    }
    if (!isAnswered && !signal.aborted) yield* otherwise(after, signal)
  }

function receivedIn(frame: Exclude<Frame, { type: 'error' }>): Received {
  if (frame.type === 'session_ready') return { up: frame.uptime }
  return frame.type === 'event' ? { event: frame.event } : 'alive'
}

/**
 * Yields the frames of a socket that sends `hello` first. Ends without an error when the socket closes or
 * does not open.
 */
async function* textsOf(url: string, hello: string, signal: AbortSignal): AsyncGenerator<string> {
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
        socket = new WebSocket(addressOf(url))
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
  // Not every browser can iterate a stream.
  const reader = texts.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    clearTimeout(slow)
    signal.removeEventListener('abort', end)
    socket?.close()
  }
}

/** Returns the address with `ws:` or `wss:`, because some browsers do not accept `http:` for a socket. */
function addressOf(origin: string): string {
  const url = new URL(`${origin}/ws`, globalThis.location?.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
