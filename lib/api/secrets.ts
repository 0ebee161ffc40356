import { listSecrets, removeSecret, saveSecret } from '#lib/features/secrets/secrets.ts'
import { bind } from '#lib/http/endpoint.ts'
import { secretOperations } from '#lib/http/operations/secrets.ts'
import { route } from '#lib/http/route.ts'

export const secretEndpoints = bind(secretOperations, {
  list: operation => route(operation, listSecrets),
  save: operation => route(operation, saveSecret),
  remove: operation => route(operation, removeSecret)
})
