import { answerLinkOf } from '#lib/deliveries/answer-link-of.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(callOperations.link, answerLinkOf)
