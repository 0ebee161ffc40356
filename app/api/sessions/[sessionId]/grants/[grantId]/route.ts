import { revokeSessionGrant } from '#lib/calls/revoke-grant.ts'
import { grantOperations } from '#lib/http/operations/grants.ts'
import { route } from '#lib/http/route.ts'

export const DELETE = route(grantOperations.revokeOfSession, revokeSessionGrant)
