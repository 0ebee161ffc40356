import { cancelCall } from '#lib/calls/cancel.ts'
import { preflight } from '#lib/http/cors.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(callOperations.cancel, cancelCall)
export const OPTIONS = preflight
