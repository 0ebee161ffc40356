import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'

export const POST = route(sessionOperations.delete, deleteSession)
