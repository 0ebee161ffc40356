import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { renameSession } from '#lib/sessions/rename-session.ts'

export const GET = route(sessionOperations.get, getSession)
export const PATCH = route(sessionOperations.rename, renameSession)
export const OPTIONS = preflight
