import { InSecret, ListSecrets, SaveSecret, Secret, Secrets } from '@waystation/protocol/workspace/secret.ts'
import { operation } from '#lib/http/operation.ts'

export const secretOperations = {
  list: operation({
    id: 'listWorkspaceSecrets',
    method: 'GET',
    path: '/api/secrets',
    summary: 'List the secrets of the workspace, without their values',
    actor: 'user',
    scope: 'own',
    input: ListSecrets,
    answer: Secrets
  }),
  save: operation({
    id: 'saveWorkspaceSecret',
    method: 'PUT',
    path: '/api/secrets/{name}',
    summary: 'Save a secret, in place of an earlier one with its name',
    actor: 'user',
    scope: 'own',
    input: SaveSecret,
    answer: Secret
  }),
  remove: operation({
    id: 'removeWorkspaceSecret',
    method: 'DELETE',
    path: '/api/secrets/{name}',
    summary: 'Remove a secret',
    actor: 'user',
    scope: 'own',
    input: InSecret,
    answer: InSecret,
    errors: ['NOT_FOUND']
  })
}
