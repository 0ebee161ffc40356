import type { ApiError } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import type { WebSocket } from 'ws'
import type { OpenStream } from '#lib/kernel/ports/open-streams.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * A plugin's stream. It ends when the plugin has sent everything, and throws errors whose message is shown to the
 * client.
 */
export type Relayed = (outgoing: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>

/** How many messages can wait for the plugin. At this limit, the socket is paused. */
const maxQueued = 64
/** How often the socket is pinged, in milliseconds. */
const pingMs = 30_000
/** How long a plugin can take to end after the socket closes, in milliseconds. */
const graceMs = 2_000
/** A client that reads nothing for this long is disconnected. Milliseconds. */
const stallMs = 15_000

/** Close codes (RFC 6455, 7.4.1, and the IANA registry). */
const closeCodes = { over: 1000, refused: 1008, failed: 1011, restart: 1012, unavailable: 1013 }

/**
 * Relays a WebSocket and a plugin's stream (003-14) without reading the content. It preserves order and applies
 * backpressure in both directions. Frames to the socket are always binary. The relay ends when its reader loses access.
 */
export function relayStream(socket: WebSocket, stream: Relayed, { signal: accessLost }: OpenStream): void {
  const ended = new AbortController()
  const incoming = queueOf(socket)
  let isAlive = true
  const pings = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingMs)
  const onAccessLost = () => {
    socket.close(closeCodes.refused, (accessLost.reason as ApiError).code)
    // A client that ignores the close frame could continue to send.
    incoming.drop()
    setTimeout(() => socket.terminate(), 1_000).unref()
  }
  if (accessLost.aborted) onAccessLost()
  accessLost.addEventListener('abort', onAccessLost)
  const onClosing = () => socket.close(closeCodes.restart, 'The server is restarting.')
  runtime().closing.addEventListener('abort', onClosing)
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('error', error => log('debug', "a stream's socket failed", { error }))
  socket.once('close', () => {
    clearInterval(pings)
    runtime().closing.removeEventListener('abort', onClosing)
    incoming.end()
    setTimeout(() => ended.abort(), graceMs).unref()
  })

  const relay = async () => {
    try {
      for await (const data of stream(incoming.messages(), ended.signal)) await write(socket, data)
      socket.close(closeCodes.over)
    } catch (error) {
      const { reason, message } = error as { reason?: string; message: string }
      const code =
        reason === 'unavailable' || reason === 'blocked' ? closeCodes.unavailable : closeCodes.failed
      socket.close(code, Buffer.from(message).subarray(0, 120).toString().replace(/�$/, ''))
    } finally {
      ended.abort()
    }
  }
  void relay()
}

/** Queues incoming messages in order. It pauses the socket while the queue is full. */
function queueOf(socket: WebSocket) {
  const queue: Uint8Array[] = []
  let wake: (() => void) | undefined
  let ended = false
  socket.on('message', data => {
    if (ended) return
    queue.push(data as Buffer)
    if (queue.length >= maxQueued) socket.pause()
    wake?.()
  })
  return {
    end() {
      ended = true
      wake?.()
    },
    /** Ends the queue and discards its messages. */
    drop() {
      queue.length = 0
      this.end()
    },
    async *messages(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const next = queue.shift()
        if (next !== undefined) {
          if (queue.length < maxQueued && socket.isPaused) socket.resume()
          yield next
        } else if (ended) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    }
  }
}

/** Resolves when the message is sent, or immediately if the socket is not open. */
const write = (socket: WebSocket, data: Uint8Array) =>
  new Promise<void>(done => {
    if (socket.readyState !== socket.OPEN) return done()
    const stallTimer = setTimeout(() => socket.terminate(), stallMs)
    socket.send(data, { binary: true }, () => {
      clearTimeout(stallTimer)
      done()
    })
  })
