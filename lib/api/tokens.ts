import { createToken } from '#lib/auth/tokens/create-token.ts'
import { listTokens } from '#lib/auth/tokens/list-tokens.ts'
import { revokeToken } from '#lib/auth/tokens/revoke-token.ts'
import { bind } from '#lib/http/endpoint.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { route } from '#lib/http/route.ts'

export const tokenEndpoints = bind(tokenOperations, {
  list: operation => route(operation, listTokens),
  create: operation => route(operation, createToken),
  revoke: operation => route(operation, revokeToken)
})
