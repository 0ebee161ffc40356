import { createKey } from '#lib/auth/keys/create-key.ts'
import { listKeys } from '#lib/auth/keys/list-keys.ts'
import { revokeKey } from '#lib/auth/keys/revoke-key.ts'
import { bind } from '#lib/http/endpoint.ts'
import { keyOperations } from '#lib/http/operations/keys.ts'
import { route } from '#lib/http/route.ts'

export const keyEndpoints = bind(keyOperations, {
  list: operation => route(operation, listKeys),
  create: operation => route(operation, createKey),
  revoke: operation => route(operation, revokeKey)
})
