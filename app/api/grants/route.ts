import { listGrants } from '#lib/calls/list-grants.ts'
import { grantOperations } from '#lib/http/operations/grants.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(grantOperations.list, listGrants)
