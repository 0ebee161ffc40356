import { beginOnPage } from '#lib/connections/begin-on-page.ts'
import { listConnections } from '#lib/connections/list.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(connectionOperations.list, listConnections)
export const POST = route(connectionOperations.begin, beginOnPage)
