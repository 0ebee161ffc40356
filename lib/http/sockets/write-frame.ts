import type { WebSocket } from 'ws'
import type { ServerFrame } from '#lib/protocol/socket.ts'

/** A client that takes nothing for this long is dropped; it comes back with its cursor. Milliseconds. */
const stallMs = 15_000

/**
 * Writes frames to a socket, resolving when one has left: whoever waits for it produces no faster than the client reads. To
 * a socket that has closed nothing is written.
 */
export const writerTo = (socket: WebSocket) => (frame: ServerFrame) =>
  new Promise<void>(done => {
    if (socket.readyState !== socket.OPEN) return done()
    const stalled = setTimeout(() => socket.terminate(), stallMs)
    socket.send(JSON.stringify(frame), () => {
      // Also when it failed: then the socket closes, and that ends everything.
      clearTimeout(stalled)
      done()
    })
  })
