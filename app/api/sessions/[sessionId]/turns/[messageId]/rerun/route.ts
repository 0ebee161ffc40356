import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { rerunTurn } from '#lib/sessions/rerun-turn.ts'

export const POST = route(sessionOperations.rerunTurn, rerunTurn)
export const OPTIONS = preflight
