import { extendCall } from '#lib/calls/extend.ts'
import { preflight } from '#lib/http/cors.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(callOperations.extend, extendCall)
export const OPTIONS = preflight
