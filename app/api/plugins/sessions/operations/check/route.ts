import { externalOperations } from '#lib/http/operations/external.ts'
import { route } from '#lib/http/route.ts'
import { checkSession } from '#lib/sessions/check-session.ts'

export const GET = route(externalOperations.check, checkSession)
