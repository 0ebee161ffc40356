import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { listLog } from '#lib/sessions/list-log.ts'

export const GET = route(sessionOperations.log, listLog)
