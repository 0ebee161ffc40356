import { answerCall } from '#lib/calls/answer.ts'
import { preflight } from '#lib/http/cors.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(callOperations.answer, answerCall)
export const OPTIONS = preflight
