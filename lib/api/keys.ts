import { createKey } from '#lib/auth/create-key.ts'
import { listKeys } from '#lib/auth/list-keys.ts'
import { revokeKey } from '#lib/auth/revoke-key.ts'
import { bind } from '#lib/http/endpoint.ts'
import { keyOperations } from '#lib/http/operations/keys.ts'
import { route } from '#lib/http/route.ts'

export const keyEndpoints = bind(keyOperations, {
  list: operation => route(operation, listKeys),
  create: operation => route(operation, createKey),
  revoke: operation => route(operation, revokeKey)
})
