import { dropAttempt, getAttempt } from '#lib/connections/attempt.ts'
import { preflight } from '#lib/http/cors.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(connectionOperations.attempt, getAttempt)
export const DELETE = route(connectionOperations.dropAttempt, dropAttempt)
export const OPTIONS = preflight
