import { cancelAttempt, getAttempt } from '#lib/features/connections/attempt.ts'
import { beginOnPage } from '#lib/features/connections/begin-on-page.ts'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { connectionOfCall } from '#lib/features/connections/connection-of-call.ts'
import {
  getIntegration,
  listIntegrations,
  removeIntegration,
  saveIntegration
} from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { deleteConnection, revokeConnection } from '#lib/features/connections/revoke.ts'
import { bind } from '#lib/http/endpoint.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { route } from '#lib/http/route.ts'

export const connectionEndpoints = bind(connectionOperations, {
  list: operation => route(operation, listConnections),
  begin: operation => route(operation, beginOnPage),
  connectCall: operation => route(operation, connectCall),
  ofCall: operation => route(operation, connectionOfCall),
  attempt: operation => route(operation, getAttempt),
  dropAttempt: operation => route(operation, cancelAttempt),
  revoke: operation => route(operation, revokeConnection),
  delete: operation => route(operation, deleteConnection),
  integrations: operation => route(operation, listIntegrations),
  integration: operation => route(operation, getIntegration),
  saveIntegration: operation => route(operation, saveIntegration),
  removeIntegration: operation => route(operation, removeIntegration)
})
