import type { WebSocket } from 'ws'

/**
 * From now on a larger frame closes the socket with 1009 before it is in memory. `ws` has one limit for all sockets of a
 * server and no way to change it for one, so its receiver is told; `tests/http/sockets.test.ts` holds that it listens.
 */
export function limitFrames(socket: WebSocket, bytes: number): void {
  const { _receiver } = socket as unknown as { _receiver: { _maxPayload: number } }
  _receiver._maxPayload = bytes
}
