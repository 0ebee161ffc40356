import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { getContext } from '#lib/sessions/get-context.ts'

export const GET = route(sessionOperations.context, getContext)
