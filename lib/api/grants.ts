import { listGrants, listSessionGrants } from '#lib/features/approvals/list-grants.ts'
import { revokeGrant, revokeSessionGrant } from '#lib/features/approvals/revoke-grant.ts'
import { bind } from '#lib/http/endpoint.ts'
import { grantOperations } from '#lib/http/operations/grants.ts'
import { route } from '#lib/http/route.ts'

export const grantEndpoints = bind(grantOperations, {
  list: operation => route(operation, listGrants),
  revoke: operation => route(operation, revokeGrant),
  listOfSession: operation => route(operation, listSessionGrants),
  revokeOfSession: operation => route(operation, revokeSessionGrant)
})
