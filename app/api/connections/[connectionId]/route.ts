import { deleteConnection } from '#lib/connections/revoke.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { route } from '#lib/http/route.ts'

export const DELETE = route(connectionOperations.delete, deleteConnection)
