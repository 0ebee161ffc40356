import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { handSession } from '#lib/sessions/hand-off.ts'

export const PUT = route(sessionOperations.handOff, handSession)
