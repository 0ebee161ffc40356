import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { removeTurn } from '#lib/sessions/remove-turn.ts'

export const DELETE = route(sessionOperations.removeTurn, removeTurn)
