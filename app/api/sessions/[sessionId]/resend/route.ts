import { resendMessage } from '#lib/deliveries/resend-message.ts'
import { preflight } from '#lib/http/cors.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(externalOperations.resend, resendMessage)
export const OPTIONS = preflight
