import { answerCall } from '#lib/engine/calls/answer.ts'
import { cancelCall } from '#lib/engine/calls/cancel.ts'
import { extendCall } from '#lib/engine/calls/extend.ts'
import { answerCalls } from '#lib/features/approvals/answer-calls.ts'
import { reviewProposal } from '#lib/features/self-config/review-proposal.ts'
import {
  answerExternal,
  authenticateAnswerLink
} from '#lib/features/webhooks/answer-links/answer-external.ts'
import { answerLinkOf } from '#lib/features/webhooks/answer-links/answer-link-of.ts'
import { bind } from '#lib/http/endpoint.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'

export const callEndpoints = bind(callOperations, {
  answer: operation => route(operation, answerCall),
  answerSeveral: operation => route(operation, answerCalls),
  review: operation => route(operation, reviewProposal),
  extend: operation => route(operation, extendCall),
  cancel: operation => route(operation, cancelCall),
  link: operation => route(operation, answerLinkOf),
  external: operation =>
    route(operation, answerExternal, (ctx, { capability = '' }) => authenticateAnswerLink(ctx, capability)),
  waiting: operation => route(operation, listPendingCalls)
})
