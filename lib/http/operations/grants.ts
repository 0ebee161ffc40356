import { Grants, InGrant, InSessionGrant, ListGrants, Revoked } from '@waystation/protocol/call/grant.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { operation } from '#lib/http/operation.ts'

export const grantOperations = {
  list: operation({
    id: 'listGrants',
    method: 'GET',
    path: '/api/grants',
    summary: 'List approvals that are remembered in all sessions, newest first',
    actor: 'user',
    scope: 'own',
    input: ListGrants,
    answer: Grants
  }),
  revoke: operation({
    id: 'revokeGrant',
    method: 'DELETE',
    path: '/api/grants/{grantId}',
    summary: 'Revoke an approval that is remembered in all sessions',
    actor: 'user',
    scope: 'own',
    input: InGrant,
    answer: Revoked,
    errors: ['NOT_FOUND']
  }),
  listOfSession: operation({
    id: 'listSessionGrants',
    method: 'GET',
    path: '/api/sessions/{sessionId}/grants',
    summary: 'List approvals that are remembered in a session, newest first',
    actor: 'user',
    scope: 'read',
    input: InSession,
    answer: Grants,
    errors: ['NOT_FOUND']
  }),
  revokeOfSession: operation({
    id: 'revokeSessionGrant',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/grants/{grantId}',
    summary: 'Revoke an approval that is remembered in a session',
    actor: 'user',
    scope: 'answer',
    input: InSessionGrant,
    answer: Revoked,
    errors: ['NOT_FOUND']
  })
}
