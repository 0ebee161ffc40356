import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'

export const GET = route(sessionOperations.list, listSessions)
