import { revokeToken } from '#lib/auth/revoke-token.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { route } from '#lib/http/route.ts'

export const DELETE = route(tokenOperations.revoke, revokeToken)
