import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { createSession } from '#lib/sessions/create-session.ts'

export const POST = route(sessionOperations.create, createSession)
