import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { putBack } from '#lib/sessions/put-back.ts'

export const POST = route(sessionOperations.putBack, putBack)
