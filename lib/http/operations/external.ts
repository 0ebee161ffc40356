import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { InAgent } from '#lib/protocol/agent.ts'
import { AuditPage, ListAudit } from '#lib/protocol/audit.ts'
import { CallbackReceipt, ReceiveCallback } from '#lib/protocol/callback.ts'
import { Delivery, Redeliver, ResendMessage, Resent } from '#lib/protocol/delivery.ts'
import { CheckedSession, CheckSession, InSession } from '#lib/protocol/session.ts'
import { NewSecret, RotateSecret, SigningSecret } from '#lib/protocol/signing-secret.ts'

export const externalOperations = {
  callback: operation({
    id: 'receiveCallback',
    method: 'POST',
    path: '/external/sessions/{sessionId}/messages',
    summary: 'A reply of an external agent: the body is its text, an `Idempotency-Key` makes it once',
    actor: 'public',
    text: true,
    input: ReceiveCallback,
    answer: CallbackReceipt,
    refusals: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'TOO_LARGE',
      'EMPTY_MESSAGE',
      'KEY_REUSED',
      'FORBIDDEN',
      'RATE_LIMITED'
    ]
  }),
  link: operation({
    id: 'callbackLink',
    method: 'GET',
    path: '/api/sessions/{sessionId}/callback',
    summary: 'The link to which the external agent of this session replies',
    actor: 'user',
    scope: 'edit',
    input: InSession,
    answer: z.object({ callbackUrl: z.url() }),
    refusals: ['NOT_FOUND']
  }),
  redeliver: operation({
    id: 'redeliver',
    method: 'POST',
    path: '/api/sessions/{sessionId}/deliveries/{deliveryId}/redeliver',
    summary: 'Sends a delivery again that failed, or that the other system lost',
    actor: 'user',
    scope: 'send',
    input: Redeliver,
    answer: Delivery,
    status: 202,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  resend: operation({
    id: 'resendMessage',
    method: 'POST',
    path: '/api/sessions/{sessionId}/resend',
    summary: 'Sends a message again that the external agent of the session did not accept',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: ResendMessage,
    answer: Resent,
    status: 202,
    refusals: ['NOT_FOUND']
  }),
  secrets: operation({
    id: 'listSecrets',
    method: 'GET',
    path: '/api/agents/{agentId}/secrets',
    summary: 'The signing secrets of an agent that hold, without the secrets themselves',
    actor: 'user',
    scope: 'edit',
    input: InAgent,
    answer: z.object({ secrets: z.array(SigningSecret) }),
    refusals: ['NOT_FOUND']
  }),
  rotate: operation({
    id: 'rotateSecret',
    method: 'POST',
    path: '/api/agents/{agentId}/secrets',
    summary:
      'A new signing secret (Standard Webhooks), told in this answer and nowhere else; the ones before it hold for `overlapSeconds` more',
    actor: 'user',
    scope: 'edit',
    input: RotateSecret,
    answer: NewSecret,
    status: 201,
    refusals: ['NOT_FOUND']
  }),
  audit: operation({
    id: 'listAudit',
    method: 'GET',
    path: '/api/audit',
    summary: 'Who put messages into sessions from outside, newest first; also into those that were deleted',
    actor: 'user',
    scope: 'own',
    input: ListAudit,
    answer: AuditPage
  }),
  check: operation({
    id: 'checkSession',
    method: 'GET',
    path: '/api/plugins/sessions/operations/check',
    summary: 'What creating a session with this ID would do, before it is done',
    actor: 'user',
    scope: 'read',
    input: CheckSession,
    answer: CheckedSession,
    refusals: ['INVALID_SESSION_ID', 'AGENT_NOT_FOUND']
  })
}
