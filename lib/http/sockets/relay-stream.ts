import type { WebSocket } from 'ws'
import { log } from '#lib/kernel/log.ts'
import type { OpenStream } from '#lib/kernel/ports/open-streams.ts'
import type { Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/** Both ways of a stream to a plugin; it ends when the plugin has said all, and throws a sentence. */
export type Relayed = (outgoing: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>

/** Messages that wait for the plugin to have room; more are not read from the socket. */
const mostWaiting = 64
/** How often a socket is asked whether it is still there. Milliseconds. */
const pingMs = 30_000
/** How long a plugin has to end by itself once the socket is closed. Milliseconds. */
const graceMs = 2_000
/** A client that takes nothing for this long is dropped. Milliseconds. */
const stallMs = 15_000

/** Why a socket is closed (RFC 6455, 7.4.1, and IANA's registry). */
const closed = { over: 1000, refused: 1008, failed: 1011, restart: 1012, unavailable: 1013 }

/**
 * Relays a WebSocket and a plugin's stream (003-14) and reads nothing of either: what comes is passed on in its order, to the
 * socket always as binary frames, and no faster than the other side takes it. It ends when its reader may no longer read.
 */
export function relayStream(socket: WebSocket, stream: Relayed, { signal: unwelcome }: OpenStream): void {
  const over = new AbortController()
  const incoming = queueOf(socket)
  let there = true
  const pings = setInterval(() => {
    if (!there) return socket.terminate()
    there = false
    socket.ping()
  }, pingMs)
  const onUnwelcome = () => {
    socket.close(closed.refused, (unwelcome.reason as Refusal).code)
    // A client that does not answer the close could go on writing.
    incoming.drop()
    setTimeout(() => socket.terminate(), 1_000).unref()
  }
  if (unwelcome.aborted) onUnwelcome()
  unwelcome.addEventListener('abort', onUnwelcome)
  const onClosing = () => socket.close(closed.restart, 'The server is restarting.')
  runtime().closing.addEventListener('abort', onClosing)
  socket.on('pong', () => {
    there = true
  })
  socket.on('error', error => log('debug', "a stream's socket failed", { error }))
  socket.once('close', () => {
    clearInterval(pings)
    runtime().closing.removeEventListener('abort', onClosing)
    incoming.end()
    setTimeout(() => over.abort(), graceMs).unref()
  })

  const run = async () => {
    try {
      for await (const data of stream(incoming.messages(), over.signal)) await write(socket, data)
      socket.close(closed.over)
    } catch (error) {
      const { fault, message } = error as { fault?: string; message: string }
      const code = fault === 'unavailable' || fault === 'blocked' ? closed.unavailable : closed.failed
      socket.close(code, Buffer.from(message).subarray(0, 120).toString().replace(/�$/, ''))
    } finally {
      over.abort()
    }
  }
  void run()
}

/** What comes in, in its order. A socket whose messages wait is not read on. */
function queueOf(socket: WebSocket) {
  const waiting: Uint8Array[] = []
  let wake: (() => void) | undefined
  let ended = false
  socket.on('message', data => {
    if (ended) return
    waiting.push(data as Buffer)
    if (waiting.length >= mostWaiting) socket.pause()
    wake?.()
  })
  return {
    end() {
      ended = true
      wake?.()
    },
    /** Ends it without what still waits. */
    drop() {
      waiting.length = 0
      this.end()
    },
    async *messages(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) {
          if (waiting.length < mostWaiting && socket.isPaused) socket.resume()
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

/** Resolves when it has left, or when there is nobody to send it to. */
const write = (socket: WebSocket, data: Uint8Array) =>
  new Promise<void>(done => {
    if (socket.readyState !== socket.OPEN) return done()
    const stalled = setTimeout(() => socket.terminate(), stallMs)
    socket.send(data, { binary: true }, () => {
      clearTimeout(stalled)
      done()
    })
  })
