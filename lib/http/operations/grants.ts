import { operation } from '#lib/http/operation.ts'
import { Grants, InGrant, InSessionGrant, ListGrants, Revoked } from '#lib/protocol/grant.ts'
import { InSession } from '#lib/protocol/session.ts'

export const grantOperations = {
  list: operation({
    id: 'listGrants',
    method: 'GET',
    path: '/api/grants',
    summary: 'The approvals that hold always, in the whole workspace, newest first',
    actor: 'user',
    scope: 'own',
    input: ListGrants,
    answer: Grants
  }),
  revoke: operation({
    id: 'revokeGrant',
    method: 'DELETE',
    path: '/api/grants/{grantId}',
    summary: 'Takes an approval back that holds always: its calls are asked about again',
    actor: 'user',
    scope: 'own',
    input: InGrant,
    answer: Revoked,
    refusals: ['NOT_FOUND']
  }),
  listOfSession: operation({
    id: 'listSessionGrants',
    method: 'GET',
    path: '/api/sessions/{sessionId}/grants',
    summary: 'The approvals that hold in this session, newest first',
    actor: 'user',
    scope: 'read',
    input: InSession,
    answer: Grants,
    refusals: ['NOT_FOUND']
  }),
  revokeOfSession: operation({
    id: 'revokeSessionGrant',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/grants/{grantId}',
    summary: 'Takes an approval back that holds in this session: its calls are asked about again',
    actor: 'user',
    scope: 'answer',
    input: InSessionGrant,
    answer: Revoked,
    refusals: ['NOT_FOUND']
  })
}
