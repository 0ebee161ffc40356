import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'

export const POST = route(sessionOperations.cancel, cancelTurn)
export const OPTIONS = preflight
