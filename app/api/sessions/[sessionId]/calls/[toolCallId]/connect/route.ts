import { preflight } from '#lib/http/cors.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { route } from '#lib/http/route.ts'
import { connectCall } from '#lib/sessions/connect-call.ts'

export const POST = route(connectionOperations.connectCall, connectCall)
export const OPTIONS = preflight
