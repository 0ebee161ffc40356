import { InAgent } from '@waystation/protocol/agent/agent.ts'
import { HttpRequest } from '@waystation/protocol/connection/http-request.ts'
import type { ErrorCode } from '@waystation/protocol/error-body.ts'
import { StatusLine, StatusReceipt } from '@waystation/protocol/external-agent/agent-status.ts'
import {
  CallbackReceipt,
  FinishTask,
  JsonReply,
  ReadSentFile,
  ReceiveCallback,
  TaskOutput,
  UploadReplyFile
} from '@waystation/protocol/external-agent/callback.ts'
import {
  ExternalCall,
  FetchWithAccount,
  OpenExternalCall,
  OpenedExternalCall,
  ReadExternalCall,
  ServiceResponse
} from '@waystation/protocol/external-agent/calls.ts'
import { ExternalSessions, ListExternalSessions } from '@waystation/protocol/external-agent/check.ts'
import {
  Delivery,
  DeliveryAttempt,
  Redeliver,
  ResendMessage,
  Resent
} from '@waystation/protocol/external-agent/delivery.ts'
import { NewSecret, RotateSecret, SigningSecret } from '@waystation/protocol/external-agent/signing-secret.ts'
import { StoredFile } from '@waystation/protocol/session/file.ts'
import { CheckedSession, CheckSession } from '@waystation/protocol/session/session.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { AuditPage, ListAudit } from '@waystation/protocol/workspace/audit.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

/** The errors of all requests of external agents. */
const replyErrors: ErrorCode[] = [
  ...(['UNAUTHENTICATED', 'NOT_FOUND', 'TOO_LARGE', 'EMPTY_MESSAGE', 'KEY_REUSED'] as const),
  ...(['FORBIDDEN', 'RATE_LIMITED'] as const)
]

/** A session that the credential of an external agent names. Its ID is checked together with the credential. */
const ofAgent = z.object({ sessionId: z.string() })

export const externalOperations = {
  callback: operation({
    id: 'receiveCallback',
    method: 'POST',
    path: '/external/sessions/{sessionId}/messages',
    summary: "Post an external agent's reply as plain text",
    actor: 'public',
    key: 'send',
    text: true,
    input: ReceiveCallback,
    answer: CallbackReceipt,
    errors: replyErrors
  }),
  finish: operation({
    id: 'finishTask',
    method: 'POST',
    path: '/external/sessions/{sessionId}/finish',
    summary: "End the task of a sub-agent's session with `{output}` (`CONFLICT` if it has ended)",
    actor: 'public',
    key: 'send',
    maxBytes: 1024 * 1024,
    input: FinishTask,
    body: TaskOutput,
    answer: CallbackReceipt,
    errors: [...replyErrors, 'MALFORMED_JSON', 'CONFLICT']
  }),
  listKnown: operation({
    id: 'listExternalSessions',
    method: 'GET',
    path: '/api/agents/{agentId}/external-sessions',
    summary: 'List the conversations that an external agent knows, from its `checkUrl`',
    actor: 'user',
    scope: 'send',
    input: ListExternalSessions,
    answer: ExternalSessions,
    errors: ['NOT_FOUND']
  }),
  reply: operation({
    id: 'postReply',
    method: 'POST',
    path: '/external/sessions/{sessionId}/replies',
    summary: "Post an external agent's reply as JSON, with files",
    actor: 'public',
    key: 'send',
    input: ofAgent.extend(JsonReply.shape),
    answer: CallbackReceipt,
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'TOO_LARGE',
      'MALFORMED_JSON',
      'EMPTY_MESSAGE',
      'KEY_REUSED',
      'FORBIDDEN',
      'RATE_LIMITED'
    ]
  }),
  replyFile: operation({
    id: 'uploadReplyFile',
    method: 'POST',
    path: '/external/sessions/{sessionId}/files',
    summary: 'Upload a file for a reply of an external agent; the body is the file',
    actor: 'public',
    key: 'send',
    input: UploadReplyFile,
    answer: StoredFile,
    status: 201,
    file: true,
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'TOO_LARGE',
      'UNSUPPORTED_TYPE',
      'KEY_REUSED',
      'FORBIDDEN',
      'RATE_LIMITED'
    ]
  }),
  sentFile: operation({
    id: 'getSentFile',
    method: 'GET',
    path: '/external/sessions/{sessionId}/files/{fileId}',
    summary: 'Get a file that was sent to an external agent, by its signed URL',
    actor: 'public',
    input: ReadSentFile,
    answer: z.string(),
    file: true,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'RATE_LIMITED']
  }),
  openCall: operation({
    id: 'openExternalCall',
    method: 'POST',
    path: '/external/sessions/{sessionId}/calls',
    summary: 'Ask the people of a session for an approval, an answer, a form or a connection',
    actor: 'public',
    key: 'send',
    input: z.intersection(ofAgent, OpenExternalCall),
    body: OpenExternalCall,
    answer: OpenedExternalCall,
    status: 201,
    orStatus: 200,
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'TOO_LARGE',
      'MALFORMED_JSON',
      'CONFLICT',
      'KEY_REUSED',
      'FORBIDDEN',
      'RATE_LIMITED'
    ]
  }),
  readCall: operation({
    id: 'getExternalCall',
    method: 'GET',
    path: '/external/sessions/{sessionId}/calls/{toolCallId}',
    summary: 'Get a call that an external agent opened; with `wait`, as soon as it is settled',
    actor: 'public',
    key: 'send',
    input: ReadExternalCall,
    answer: ExternalCall,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED']
  }),
  fetchWithAccount: operation({
    id: 'fetchWithAccount',
    method: 'POST',
    path: '/external/sessions/{sessionId}/calls/{toolCallId}/fetch',
    summary: 'Send a request to a service with the account that a person connected for this call',
    actor: 'public',
    key: 'send',
    input: FetchWithAccount,
    body: HttpRequest,
    answer: ServiceResponse,
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'NOT_ANSWERABLE',
      'CONFLICT',
      'TOO_LARGE',
      'MALFORMED_JSON',
      'FORBIDDEN',
      'RATE_LIMITED'
    ]
  }),
  cancelCall: operation({
    id: 'cancelExternalCall',
    method: 'DELETE',
    path: '/external/sessions/{sessionId}/calls/{toolCallId}',
    summary: 'Cancel an open call of an external agent',
    actor: 'public',
    key: 'send',
    input: ReadExternalCall.omit({ wait: true }),
    answer: ExternalCall,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'ALREADY_SETTLED', 'FORBIDDEN', 'RATE_LIMITED']
  }),
  status: operation({
    id: 'setAgentStatus',
    method: 'POST',
    path: '/external/sessions/{sessionId}/status',
    summary: 'Show what an external agent is doing; an empty `text` removes the line',
    actor: 'public',
    key: 'send',
    input: ofAgent.extend(StatusLine.shape),
    answer: StatusReceipt,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'TOO_LARGE', 'MALFORMED_JSON', 'FORBIDDEN', 'RATE_LIMITED']
  }),
  link: operation({
    id: 'callbackLink',
    method: 'GET',
    path: '/api/sessions/{sessionId}/callback',
    summary:
      "Get the callback link for the session's external agent; if `signed`, replies need a signature or a key",
    actor: 'user',
    scope: 'edit',
    input: InSession,
    answer: z.object({ callbackUrl: z.url(), signed: z.boolean() }),
    errors: ['NOT_FOUND']
  }),
  redeliver: operation({
    id: 'redeliver',
    method: 'POST',
    path: '/api/sessions/{sessionId}/deliveries/{deliveryId}/redeliver',
    summary: 'Resend a delivery that failed or that the receiver lost',
    actor: 'user',
    scope: 'send',
    input: Redeliver,
    answer: Delivery,
    status: 202,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  resend: operation({
    id: 'resendMessage',
    method: 'POST',
    path: '/api/sessions/{sessionId}/resend',
    summary: 'Resend a message that the external agent did not accept',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: ResendMessage,
    answer: Resent,
    status: 202,
    errors: ['NOT_FOUND']
  }),
  secrets: operation({
    id: 'listSecrets',
    method: 'GET',
    path: '/api/agents/{agentId}/secrets',
    summary: "List an agent's active signing secrets, without their values",
    actor: 'user',
    scope: 'edit',
    input: InAgent,
    answer: z.object({ secrets: z.array(SigningSecret) }),
    errors: ['NOT_FOUND']
  }),
  rotate: operation({
    id: 'rotateSecret',
    method: 'POST',
    path: '/api/agents/{agentId}/secrets',
    summary: 'Create a signing secret (returned once); older secrets expire after `overlapSeconds`',
    actor: 'user',
    scope: 'edit',
    input: RotateSecret,
    answer: NewSecret,
    status: 201,
    errors: ['NOT_FOUND']
  }),
  test: operation({
    id: 'testAgent',
    method: 'POST',
    path: '/api/agents/{agentId}/test',
    summary: 'Send a signed test message to an external agent, and return its response',
    actor: 'user',
    scope: 'edit',
    input: InAgent,
    answer: DeliveryAttempt,
    errors: ['NOT_FOUND']
  }),
  audit: operation({
    id: 'listAudit',
    method: 'GET',
    path: '/api/audit',
    summary: 'List audit entries, newest first, including those of deleted sessions',
    actor: 'user',
    scope: 'own',
    input: ListAudit,
    answer: AuditPage
  }),
  check: operation({
    id: 'checkSession',
    method: 'GET',
    path: '/api/plugins/sessions/operations/check',
    summary: 'Check what creating a session with this ID would do',
    actor: 'user',
    scope: 'read',
    input: CheckSession,
    answer: CheckedSession,
    errors: ['INVALID_SESSION_ID', 'AGENT_NOT_FOUND']
  })
}
