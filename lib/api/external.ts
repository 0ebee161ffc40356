import { cleanText } from '@waystation/base/clean-text.ts'
import { AuthenticateReply } from '@waystation/protocol/external-agent/callback.ts'
import { redeliver } from '#lib/deliveries/redeliver.ts'
import { resendMessage } from '#lib/deliveries/resend-message.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { listAgentSecrets, rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import {
  type AuthenticatedReply,
  authenticateReply
} from '#lib/features/external-agents/authenticate-reply.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { finishTask } from '#lib/features/external-agents/finish-task.ts'
import { listExternalSessions } from '#lib/features/external-agents/known-sessions.ts'
import { receiveCallback } from '#lib/features/external-agents/receive-callback.ts'
import { testAgent } from '#lib/features/external-agents/test-agent.ts'
import { bind } from '#lib/http/endpoint.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { type Precheck, type RequestContext, raw } from '#lib/http/raw.ts'
import { clientAddress } from '#lib/http/request/client-address.ts'
import { parseInput } from '#lib/http/request/parse-input.ts'
import { parseJson } from '#lib/http/request/parse-json.ts'
import type { Params } from '#lib/http/request/read-input.ts'
import { readText } from '#lib/http/request/read-text.ts'
import { jsonResponse } from '#lib/http/response/json-response.ts'
import { route } from '#lib/http/route.ts'
import { checkSession } from '#lib/sessions/check-session.ts'

/** The most bytes of a reply or of the output of a task (docs/external-agents.md). */
const maxBytes = 1024 * 1024

export const externalEndpoints = bind(externalOperations, {
  callback: operation =>
    raw(
      operation,
      async ({ request }, admitted: AuthenticatedReply) =>
        jsonResponse(await receiveCallback(admitted, await readText(request, maxBytes))),
      { precheck: authenticate }
    ),
  finish: operation =>
    raw(
      operation,
      async ({ request }, admitted: AuthenticatedReply) => {
        const text = await readText(request, maxBytes)
        return jsonResponse(await finishTask(admitted, text, parseJson(text)))
      },
      { precheck: authenticate }
    ),
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

/** Authenticates a request of an external agent before its body is read. */
async function authenticate({ request, params, ctx }: RequestContext): Promise<Precheck<AuthenticatedReply>> {
  const reply = parseInput(AuthenticateReply, replyParameters(request, params))
  const admitted = await authenticateReply(ctx, reply, clientAddress(request.headers))
  return { input: admitted, link: admitted.link }
}

/**
 * Reads a reply's parameters from its URL and headers. The path wins over the headers, which win over the query. `key`
 * comes from `Idempotency-Key`, or from the `webhook-id` of a Standard Webhook. The body is the reply's text for every
 * content type, because curl declares each body a form.
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
    ...fromHeader('webhookId', 'webhook-id'),
    ...fromHeader('webhookTimestamp', 'webhook-timestamp'),
    ...fromHeader('webhookSignature', 'webhook-signature'),
    ...params
  }
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, cleanText(value)]))
}
