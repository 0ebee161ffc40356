import { Comparison } from '@waystation/protocol/agent/comparison.ts'
import { AnswerBody, Answered, AnsweredCalls, ExternalAnswer } from '@waystation/protocol/call/call.ts'
import { WaitingPage } from '@waystation/protocol/call/waiting-call.ts'
import {
  AnswerCall,
  AnswerCalls,
  AnswerExternal,
  ExtendCall,
  InCall,
  ListWaiting,
  ReviewCall
} from '@waystation/protocol/session/session.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const callOperations = {
  answer: operation({
    id: 'answerCall',
    method: 'POST',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/answer',
    summary: 'Answer a pending call; repeating the answer returns the same receipt',
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: AnswerCall,
    answer: Answered,
    body: AnswerBody,
    gather({ path, body: { clientTools, ...answer } }) {
      return { ...path, answer, ...(clientTools === undefined ? {} : { clientTools }) }
    },
    errors: ['NOT_FOUND', 'ALREADY_SETTLED', 'NOT_ANSWERABLE', 'TOO_LARGE']
  }),
  answerSeveral: operation({
    id: 'answerCalls',
    method: 'POST',
    path: '/api/calls/answer',
    summary: 'Approve or decline up to 50 pending calls, each as by itself',
    actor: 'user',
    scope: 'answer',
    input: AnswerCalls,
    answer: AnsweredCalls
  }),
  review: operation({
    id: 'reviewProposal',
    method: 'POST',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/review',
    summary: "Compare an agent's proposed configuration with the published one",
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: ReviewCall,
    answer: z.object(Comparison.shape),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN']
  }),
  extend: operation({
    id: 'extendCall',
    method: 'POST',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/extend',
    summary: 'Extend a pending call `until` a time or to `seconds` from now',
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: ExtendCall,
    answer: z.object({ deadline: Time }),
    errors: ['NOT_FOUND', 'ALREADY_SETTLED']
  }),
  cancel: operation({
    id: 'cancelCall',
    method: 'POST',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/cancel',
    summary: 'Cancel a pending call; repeating the request returns the same receipt',
    actor: 'user',
    scope: 'answer',
    tokens: true,
    input: InCall,
    answer: Answered,
    errors: ['NOT_FOUND', 'ALREADY_SETTLED', 'NOT_ANSWERABLE']
  }),
  link: operation({
    id: 'answerLink',
    method: 'GET',
    path: '/api/sessions/{sessionId}/calls/{toolCallId}/link',
    summary: 'Get the link where an external system answers a pending call',
    actor: 'user',
    scope: 'answer',
    input: InCall,
    answer: z.object({ answerUrl: z.url() }),
    errors: ['NOT_FOUND']
  }),
  external: operation({
    id: 'answerExternalCall',
    method: 'POST',
    path: '/external/calls/{capability}',
    summary: 'Answer an external call with `{output}` or `{error}`',
    actor: 'public',
    input: AnswerExternal,
    answer: Answered,
    body: ExternalAnswer,
    gather: ({ path, body }) => ({ ...path, answer: body }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'ALREADY_SETTLED', 'TOO_LARGE', 'RATE_LIMITED']
  }),
  waiting: operation({
    id: 'listWaiting',
    method: 'GET',
    path: '/api/waiting',
    summary: "List the workspace's pending calls, nearest deadline first, and held out-of-band messages",
    actor: 'user',
    scope: 'read',
    input: ListWaiting,
    answer: WaitingPage
  })
}
