import type { CallOperation } from './call.ts'
import type { Connection, ConnectionAttempt, StartConnection, StartedConnection } from './types.ts'

/** The accounts that agents can use. Not available with a session token. */
export type ConnectionsClient = {
  list: () => Promise<{ connections: Connection[] }>
  /** Starts to connect an account. Open the returned `url` in a window of the user. */
  start: (connection: StartConnection) => Promise<StartedConnection>
  /** Gets the state of an attempt: `open` until the user has finished. */
  attempt: (attemptId: string) => Promise<ConnectionAttempt>
  /** Gives up an attempt, so that a later response of the provider is ignored. */
  cancelAttempt: (attemptId: string) => Promise<ConnectionAttempt>
  /** Disconnects an account, and revokes it at the provider if possible. */
  revoke: (connectionId: string) => Promise<{ connectionId: string; atProvider: 'revoked' | 'unknown' }>
  /** Revokes an account and removes it from the list. */
  delete: (connectionId: string) => Promise<{ connectionId: string; atProvider: 'revoked' | 'unknown' }>
}

export function connectionsOf(call: CallOperation): ConnectionsClient {
  return {
    list: () => call('listConnections'),
    start: body => call('beginConnect', { body }),
    attempt: attemptId => call('getConnectAttempt', { path: { attemptId } }),
    cancelAttempt: attemptId => call('dropConnectAttempt', { path: { attemptId } }),
    revoke: connectionId => call('revokeConnection', { path: { connectionId } }),
    delete: connectionId => call('deleteConnection', { path: { connectionId } })
  }
}
