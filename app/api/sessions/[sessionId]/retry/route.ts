import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'

export const POST = route(sessionOperations.retry, retryTurn)
export const OPTIONS = preflight
