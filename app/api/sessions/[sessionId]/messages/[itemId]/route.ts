import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { removeMessage } from '#lib/sessions/remove-message.ts'

export const DELETE = route(sessionOperations.removeMessage, removeMessage)
export const OPTIONS = preflight
