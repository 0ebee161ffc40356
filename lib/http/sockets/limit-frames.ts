import type { WebSocket } from 'ws'

/**
 * Limits the socket's frames from now on. A larger frame closes the socket with 1009 before it is in memory. `ws` has
 * one limit for all sockets of a server, so this sets a private field of the receiver. `tests/http/sockets.test.ts`
 * checks that it works.
 */
export function limitFrames(socket: WebSocket, bytes: number): void {
  const { _receiver } = socket as unknown as { _receiver: { _maxPayload: number } }
  _receiver._maxPayload = bytes
}
