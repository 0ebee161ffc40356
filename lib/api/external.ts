import { cleanText } from '@waystation/base/clean-text.ts'
import { HttpRequest } from '@waystation/protocol/connection/http-request.ts'
import { StatusLine } from '@waystation/protocol/external-agent/agent-status.ts'
import { AuthenticateReply, JsonReply, TaskOutput } from '@waystation/protocol/external-agent/callback.ts'
import { OpenExternalCall, ReadExternalCall } from '@waystation/protocol/external-agent/calls.ts'
import { UploadFile } from '@waystation/protocol/session/file.ts'
import { wikitextType } from '@waystation/protocol/wiki/wikitext-type.ts'
import type { z } from 'zod'
import type { FileScope } from '#lib/deliveries/file-link.ts'
import { redeliver } from '#lib/deliveries/redeliver.ts'
import { resendMessage } from '#lib/deliveries/resend-message.ts'
import { uploadFile } from '#lib/features/attachments/upload-file.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { listAgentSecrets, rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import {
  inAgentSession,
  type VerifiedRequest,
  verifyBody
} from '#lib/features/external-agents/agent-session.ts'
import {
  type AuthenticatedReply,
  authenticateReply,
  requireLink
} from '#lib/features/external-agents/authenticate-reply.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { cancelExternalCall } from '#lib/features/external-agents/calls/cancel-call.ts'
import { fetchWithAccount } from '#lib/features/external-agents/calls/fetch-with-account.ts'
import { authorizeCall, type CallRef } from '#lib/features/external-agents/calls/find-call.ts'
import { openExternalCall } from '#lib/features/external-agents/calls/open-call.ts'
import { readCall } from '#lib/features/external-agents/calls/read-call.ts'
import { finishTask } from '#lib/features/external-agents/finish-task.ts'
import { listExternalSessions } from '#lib/features/external-agents/known-sessions.ts'
import { authorizeFileLink, readSentFile } from '#lib/features/external-agents/read-sent-file.ts'
import {
  maxReplyBytes,
  receiveCallback,
  receiveReply
} from '#lib/features/external-agents/receive-callback.ts'
import { setStatus } from '#lib/features/external-agents/status-line.ts'
import { testAgent } from '#lib/features/external-agents/test-agent.ts'
import { bind } from '#lib/http/endpoint.ts'
import type { Operation } from '#lib/http/operation.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { type Precheck, type RequestContext, raw } from '#lib/http/raw.ts'
import { clientAddress } from '#lib/http/request/client-address.ts'
import { parseInput } from '#lib/http/request/parse-input.ts'
import { parseJson } from '#lib/http/request/parse-json.ts'
import { readBytes } from '#lib/http/request/read-bytes.ts'
import { type Params, readQuery } from '#lib/http/request/read-input.ts'
import { readText } from '#lib/http/request/read-text.ts'
import { fileResponse } from '#lib/http/response/file-response.ts'
import { jsonResponse } from '#lib/http/response/json-response.ts'
import { route } from '#lib/http/route.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { checkSession } from '#lib/sessions/check-session.ts'

const isWikitext = /^\s*text\/vnd\.tiddlywiki\s*(;|$)/i

/** The most bytes of a body with JSON. A text of 1 MiB can be longer in JSON. */
const maxJsonBytes = 2 * 1024 * 1024

export const externalEndpoints = bind(externalOperations, {
  callback: operation =>
    raw(
      operation,
      async ({ request }, admitted: AuthenticatedReply) =>
        jsonResponse(await receiveCallback(admitted, await readText(request, maxReplyBytes))),
      { precheck }
    ),
  reply: operation => jsonFromAgent(operation, JsonReply, receiveReply),
  openCall: operation =>
    raw(
      operation,
      async ({ request }, admitted: AuthenticatedReply) => {
        const text = await readText(request, maxJsonBytes)
        const verified = verifyBody(admitted, text)
        const { isNew, ...opened } = await openExternalCall(
          verified,
          parseInput(OpenExternalCall, parseJson(text))
        )
        return jsonResponse(opened, isNew ? operation.status : 200)
      },
      { precheck }
    ),
  readCall: operation =>
    aboutCall(operation, ({ ctx, request }, ref, wait) =>
      readCall(ctx, ref, wait, AbortSignal.any([request.signal, runtime().closing]))
    ),
  fetchWithAccount: operation =>
    aboutCall(operation, async ({ ctx, request }, ref) =>
      fetchWithAccount(ctx, ref, parseInput(HttpRequest, parseJson(await readText(request, maxJsonBytes))))
    ),
  cancelCall: operation => aboutCall(operation, ({ ctx }, ref) => cancelExternalCall(ctx, ref)),
  status: operation => jsonFromAgent(operation, StatusLine, setStatus),
  replyFile: operation =>
    raw(
      operation,
      async ({ request, params }, admitted: AuthenticatedReply) => {
        const declared = request.headers.get('content-type') ?? ''
        const bytes = await readBytes(request, runtime().env.files.bytes)
        const verified = verifyBody(admitted, bytes)
        const input = parseInput(UploadFile, { ...readQuery(request, params), key: admitted.about.key })
        const stored = await inAgentSession(verified, tx => uploadFile(tx, { ...input, declared, bytes }))
        return jsonResponse(stored, operation.status)
      },
      { precheck: context => precheck(context, requireLink) }
    ),
  sentFile: operation =>
    raw(
      operation,
      async ({ ctx, params }, scope: FileScope) =>
        fileResponse(await readSentFile(ctx, params.sessionId ?? '', scope), false),
      {
        precheck: ({ request, params, ctx }) =>
          authorizeFileLink(ctx, parseInput(operation.input, readQuery(request, params)))
      }
    ),
  finish: operation => jsonFromAgent(operation, TaskOutput, finishTask),
  listKnown: operation => route(operation, listExternalSessions),
  link: operation => route(operation, callbackLinkOf),
  redeliver: operation => route(operation, redeliver),
  resend: operation => route(operation, resendMessage),
  secrets: operation => route(operation, listAgentSecrets),
  rotate: operation => route(operation, rotateAgentSecret),
  test: operation => route(operation, testAgent),
  audit: operation => route(operation, listAudit),
  check: operation => route(operation, checkSession)
})

/**
 * Makes the handler of a request with JSON by an external agent. A signature is for the body as it was sent, so it is
 * verified before the body is parsed.
 */
function jsonFromAgent<Body extends z.ZodType>(
  operation: Operation,
  schema: Body,
  verb: (verified: VerifiedRequest, body: z.output<Body>) => Promise<object>
) {
  return raw(
    operation,
    async ({ request }, admitted: AuthenticatedReply) => {
      const text = await readText(request, operation.maxBytes ?? maxJsonBytes)
      const verified = verifyBody(admitted, text)
      return jsonResponse(await verb(verified, parseInput(schema, parseJson(text))))
    },
    { precheck }
  )
}

/** Makes the handler of a request about one call, whose credential is checked first. */
function aboutCall(
  operation: Operation,
  verb: (context: RequestContext, ref: CallRef, wait: number) => Promise<object>
) {
  return raw(
    operation,
    async (context, { ref, wait }: { ref: CallRef; wait: number }) =>
      jsonResponse(await verb(context, ref, wait)),
    {
      precheck: async ({ request, params, ctx }) => {
        const { wait, ...named } = parseInput(ReadExternalCall, readQuery(request, params))
        const { ref, link } = await authorizeCall(ctx, named)
        return { input: { ref, wait }, link }
      }
    }
  )
}

/** Checks the credential of an external agent before the body of its request is read. */
async function precheck(
  { request, params, ctx }: RequestContext,
  check: (admitted: AuthenticatedReply) => void = () => undefined
): Promise<Precheck<AuthenticatedReply>> {
  const reply = parseInput(AuthenticateReply, replyParameters(request, params))
  const admitted = await authenticateReply(ctx, reply, clientAddress(request.headers))
  check(admitted)
  return { input: admitted, link: admitted.link }
}

/**
 * Reads a reply's parameters from its URL and headers. The path wins over the headers, which win over the query. `key`
 * comes from `Idempotency-Key`, or from the `webhook-id` of a Standard Webhook. The body is the reply's text for every
 * content type, because curl declares each body a form. Only the type of wikitext has a meaning.
 */
function replyParameters({ url, headers }: Request, params: Params): Record<string, string> {
  const fromHeader = (name: string, ...headerNames: string[]) => {
    const value = headerNames.map(header => headers.get(header)).find(header => header !== null)
    return value === undefined || value === null ? {} : { [name]: value }
  }
  const parameters: Record<string, string> = {
    ...Object.fromEntries(new URL(url).searchParams),
    ...fromHeader('key', 'idempotency-key', 'webhook-id'),
    ...fromHeader('message', 'waystation-message'),
    ...fromHeader('inReplyTo', 'waystation-in-reply-to'),
    ...(isWikitext.test(headers.get('content-type') ?? '') ? { contentType: wikitextType } : {}),
    ...fromHeader('webhookId', 'webhook-id'),
    ...fromHeader('webhookTimestamp', 'webhook-timestamp'),
    ...fromHeader('webhookSignature', 'webhook-signature'),
    ...params
  }
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, cleanText(value)]))
}
