import { answerCall } from '#lib/calls/answer.ts'
import { cancelCall } from '#lib/calls/cancel.ts'
import { extendCall } from '#lib/calls/extend.ts'
import { admitAnswerLink, answerExternal } from '#lib/deliveries/answer-external.ts'
import { answerLinkOf } from '#lib/deliveries/answer-link-of.ts'
import { bind } from '#lib/http/endpoint.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'
import { listWaiting } from '#lib/sessions/list-waiting.ts'
import { reviewProposal } from '#lib/sessions/review-proposal.ts'

export const callEndpoints = bind(callOperations, {
  answer: operation => route(operation, answerCall),
  review: operation => route(operation, reviewProposal),
  extend: operation => route(operation, extendCall),
  cancel: operation => route(operation, cancelCall),
  link: operation => route(operation, answerLinkOf),
  external: operation =>
    route(operation, answerExternal, (ctx, { capability = '' }) => admitAnswerLink(ctx, capability)),
  waiting: operation => route(operation, listWaiting)
})
