import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'

export const POST = route(sessionOperations.send, sendMessage)
export const OPTIONS = preflight
