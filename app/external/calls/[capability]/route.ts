import { admitAnswerLink, answerExternal } from '#lib/deliveries/answer-external.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(callOperations.external, answerExternal, (ctx, { capability }) =>
  admitAnswerLink(ctx, String(capability))
)
