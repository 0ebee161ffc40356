import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import {
  Attempt,
  BeginConnect,
  BegunConnect,
  ConnectCall,
  Connection,
  InAttempt,
  InConnection,
  ListConnections
} from '#lib/protocol/connection.ts'
import {
  InIntegration,
  IntegrationConfig,
  ListedIntegration,
  ListIntegrations,
  SaveIntegration
} from '#lib/protocol/integration.ts'

const Ended = z.object({ connectionId: z.string(), atProvider: z.enum(['revoked', 'unknown']) })

export const connectionOperations = {
  list: operation({
    id: 'listConnections',
    method: 'GET',
    path: '/api/connections',
    summary: 'The accounts that agents may use: your own, the workspace’s and those of its sessions',
    actor: 'user',
    scope: 'read',
    input: ListConnections,
    answer: z.object({ connections: z.array(Connection) })
  }),
  begin: operation({
    id: 'beginConnect',
    method: 'POST',
    path: '/api/connections',
    summary: 'Begins to connect an account: it goes on at `url`, in the browser of whoever asked',
    actor: 'user',
    scope: 'answer',
    input: BeginConnect,
    answer: BegunConnect,
    status: 201,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  connectCall: operation({
    id: 'connectCall',
    method: 'POST',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/connect',
    summary:
      'Begins to connect the account that an open call asks for; the provider’s answer settles the call',
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: ConnectCall,
    answer: BegunConnect,
    status: 201,
    refusals: ['NOT_FOUND', 'ALREADY_SETTLED', 'NOT_ANSWERABLE', 'CONFLICT']
  }),
  attempt: operation({
    id: 'getConnectAttempt',
    method: 'GET',
    path: '/api/connections/attempts/{attemptId}',
    summary: 'How an attempt to connect stands, for whoever began it',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InAttempt,
    answer: Attempt,
    refusals: ['NOT_FOUND']
  }),
  dropAttempt: operation({
    id: 'dropConnectAttempt',
    method: 'DELETE',
    path: '/api/connections/attempts/{attemptId}',
    summary: 'Gives an attempt to connect up: what its provider says later is not heard. Its call stays open',
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: InAttempt,
    answer: Attempt,
    refusals: ['NOT_FOUND']
  }),
  revoke: operation({
    id: 'revokeConnection',
    method: 'POST',
    path: '/api/connections/{connectionId}/revoke',
    summary: 'Ends a connection, here at once and at its provider where that has a door for it',
    actor: 'user',
    scope: 'answer',
    input: InConnection,
    answer: Ended,
    refusals: ['NOT_FOUND']
  }),
  delete: operation({
    id: 'deleteConnection',
    method: 'DELETE',
    path: '/api/connections/{connectionId}',
    summary: 'Ends a connection and forgets it',
    actor: 'user',
    scope: 'answer',
    input: InConnection,
    answer: Ended,
    refusals: ['NOT_FOUND']
  }),
  integrations: operation({
    id: 'listIntegrations',
    method: 'GET',
    path: '/api/integrations',
    summary: 'The services at which accounts can be connected, and what each still needs',
    actor: 'user',
    scope: 'read',
    input: ListIntegrations,
    answer: z.object({ integrations: z.array(ListedIntegration) })
  }),
  integration: operation({
    id: 'getIntegration',
    method: 'GET',
    path: '/api/integrations/{integration}',
    summary: 'An integration as it is configured; never its client’s secret',
    actor: 'user',
    scope: 'own',
    input: InIntegration,
    answer: z.object({ config: IntegrationConfig, hasClientSecret: z.boolean(), own: z.boolean() }),
    refusals: ['NOT_FOUND']
  }),
  saveIntegration: operation({
    id: 'saveIntegration',
    method: 'PUT',
    path: '/api/integrations/{integration}',
    summary: 'Saves an integration of the workspace; one that the server brings is replaced by it here',
    actor: 'user',
    scope: 'own',
    input: SaveIntegration,
    answer: ListedIntegration
  }),
  removeIntegration: operation({
    id: 'removeIntegration',
    method: 'DELETE',
    path: '/api/integrations/{integration}',
    summary:
      'Forgets what the workspace saved of an integration; what was connected there must be connected anew',
    actor: 'user',
    scope: 'own',
    input: InIntegration,
    answer: z.object({ integration: z.string() }),
    refusals: ['NOT_FOUND']
  })
}
