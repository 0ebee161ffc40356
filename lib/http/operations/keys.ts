import { z } from 'zod'
import { CreatedKey, CreateKey } from '#lib/auth/keys/create-key.ts'
import { ApiKey, ListKeys } from '#lib/auth/keys/list-keys.ts'
import { RevokeKey } from '#lib/auth/keys/revoke-key.ts'
import { operation } from '#lib/http/operation.ts'

export const keyOperations = {
  list: operation({
    id: 'listKeys',
    method: 'GET',
    path: '/api/keys',
    summary: 'List API keys, without their secrets',
    actor: 'user',
    scope: 'own',
    input: ListKeys,
    answer: z.object({ keys: z.array(ApiKey) })
  }),
  create: operation({
    id: 'createKey',
    method: 'POST',
    path: '/api/keys',
    summary: 'Create an API key; its `secret` is returned only once',
    actor: 'user',
    scope: 'own',
    input: CreateKey,
    answer: CreatedKey,
    status: 201
  }),
  revoke: operation({
    id: 'revokeKey',
    method: 'DELETE',
    path: '/api/keys/{keyId}',
    summary: 'Revoke an API key',
    actor: 'user',
    scope: 'own',
    input: RevokeKey,
    answer: z.object({ keyId: z.string() }),
    errors: ['NOT_FOUND']
  })
}
