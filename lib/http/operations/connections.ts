import {
  Attempt,
  BeginConnect,
  BegunConnect,
  ConnectCall,
  Connection,
  ConnectionOfCall,
  InAttempt,
  InConnection,
  InConnectionCall,
  ListConnections
} from '@waystation/protocol/connection/connection.ts'
import {
  InIntegration,
  IntegrationConfig,
  ListedIntegration,
  ListIntegrations,
  SaveIntegration
} from '@waystation/protocol/connection/integration.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

const Ended = z.object({ connectionId: z.string(), atProvider: z.enum(['revoked', 'unknown']) })

export const connectionOperations = {
  list: operation({
    id: 'listConnections',
    method: 'GET',
    path: '/api/connections',
    summary: 'List your connections and those of the workspace and its sessions',
    actor: 'user',
    scope: 'read',
    input: ListConnections,
    answer: z.object({ connections: z.array(Connection) })
  }),
  begin: operation({
    id: 'beginConnect',
    method: 'POST',
    path: '/api/connections',
    summary: 'Start connecting an account; the user continues at `url`',
    actor: 'user',
    scope: 'answer',
    input: BeginConnect,
    answer: BegunConnect,
    status: 201,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  connectCall: operation({
    id: 'connectCall',
    method: 'POST',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/connect',
    summary:
      'Start connecting the account that a call needs; with `again`, also after it ended without the account',
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: ConnectCall,
    answer: BegunConnect,
    status: 201,
    errors: ['NOT_FOUND', 'ALREADY_SETTLED', 'NOT_ANSWERABLE', 'CONFLICT']
  }),
  ofCall: operation({
    id: 'getConnectionOfCall',
    method: 'GET',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/connect',
    summary: 'Get the state of the account that a call asked for',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InConnectionCall,
    answer: ConnectionOfCall,
    errors: ['NOT_FOUND', 'NOT_ANSWERABLE']
  }),
  attempt: operation({
    id: 'getConnectAttempt',
    method: 'GET',
    path: '/api/connections/attempts/{attemptId}',
    summary: 'Get the state of a connection attempt',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InAttempt,
    answer: Attempt,
    errors: ['NOT_FOUND']
  }),
  dropAttempt: operation({
    id: 'dropConnectAttempt',
    method: 'DELETE',
    path: '/api/connections/attempts/{attemptId}',
    summary: 'Cancel a connection attempt; its call stays pending',
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: InAttempt,
    answer: Attempt,
    errors: ['NOT_FOUND']
  }),
  revoke: operation({
    id: 'revokeConnection',
    method: 'POST',
    path: '/api/connections/{connectionId}/revoke',
    summary: 'Revoke a connection locally, and at the provider if it supports revocation',
    actor: 'user',
    scope: 'answer',
    input: InConnection,
    answer: Ended,
    errors: ['NOT_FOUND']
  }),
  delete: operation({
    id: 'deleteConnection',
    method: 'DELETE',
    path: '/api/connections/{connectionId}',
    summary: 'Revoke and delete a connection',
    actor: 'user',
    scope: 'answer',
    input: InConnection,
    answer: Ended,
    errors: ['NOT_FOUND']
  }),
  integrations: operation({
    id: 'listIntegrations',
    method: 'GET',
    path: '/api/integrations',
    summary: 'List integrations and the setup that each one still needs',
    actor: 'user',
    scope: 'read',
    input: ListIntegrations,
    answer: z.object({ integrations: z.array(ListedIntegration) })
  }),
  integration: operation({
    id: 'getIntegration',
    method: 'GET',
    path: '/api/integrations/{integration}',
    summary: "Get an integration's configuration, without its client secret",
    actor: 'user',
    scope: 'own',
    input: InIntegration,
    answer: z.object({ config: IntegrationConfig, hasClientSecret: z.boolean(), own: z.boolean() }),
    errors: ['NOT_FOUND']
  }),
  saveIntegration: operation({
    id: 'saveIntegration',
    method: 'PUT',
    path: '/api/integrations/{integration}',
    summary: 'Save an integration, or override a built-in one',
    actor: 'user',
    scope: 'own',
    input: SaveIntegration,
    answer: ListedIntegration
  }),
  removeIntegration: operation({
    id: 'removeIntegration',
    method: 'DELETE',
    path: '/api/integrations/{integration}',
    summary: 'Delete a saved integration; its accounts must be connected again',
    actor: 'user',
    scope: 'own',
    input: InIntegration,
    answer: z.object({ integration: z.string() }),
    errors: ['NOT_FOUND']
  })
}
