import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { pinRevision } from '#lib/sessions/pin-revision.ts'

export const PUT = route(sessionOperations.pin, pinRevision)
