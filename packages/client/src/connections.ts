import { type Api, answered } from './api.ts'
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

export function connectionsOf({ calls }: Api): ConnectionsClient {
  const of = (connectionId: string) => ({ params: { path: { connectionId } } })
  const ofAttempt = (attemptId: string) => ({ params: { path: { attemptId } } })
  return {
    list: () => answered(calls.GET('/api/connections')),
    start: body => answered(calls.POST('/api/connections', { body })),
    attempt: attemptId => answered(calls.GET('/api/connections/attempts/{attemptId}', ofAttempt(attemptId))),
    cancelAttempt: attemptId =>
      answered(calls.DELETE('/api/connections/attempts/{attemptId}', ofAttempt(attemptId))),
    revoke: connectionId => answered(calls.POST('/api/connections/{connectionId}/revoke', of(connectionId))),
    delete: connectionId => answered(calls.DELETE('/api/connections/{connectionId}', of(connectionId)))
  }
}
