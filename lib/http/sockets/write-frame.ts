import type { ServerFrame } from '@waystation/protocol/socket.ts'
import type { WebSocket } from 'ws'

/** A client that reads nothing for this long is disconnected, and reconnects with its cursor. Milliseconds. */
const stallMs = 15_000

/**
 * Returns a function that writes a frame and resolves when it is sent, so that its caller produces no faster than the
 * client reads. It writes nothing to a closed socket.
 */
export const writerTo = (socket: WebSocket) => (frame: ServerFrame) =>
  new Promise<void>(done => {
    if (socket.readyState !== socket.OPEN) return done()
    const stallTimer = setTimeout(() => socket.terminate(), stallMs)
    socket.send(JSON.stringify(frame), () => {
      // Also after an error, because the socket then closes and ends everything.
      clearTimeout(stallTimer)
      done()
    })
  })
