import { revokeKey } from '#lib/auth/revoke-key.ts'
import { keyOperations } from '#lib/http/operations/keys.ts'
import { route } from '#lib/http/route.ts'

export const DELETE = route(keyOperations.revoke, revokeKey)
