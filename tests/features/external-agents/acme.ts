import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { createAgent } from '#lib/agents/create.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import type { Operation } from '#lib/http/operation.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint, type EndpointCall, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { callback } = externalOperations

/** Returns a session `order-1` with an external agent, Acme, and its server. */
export async function acme(
  external: { retries?: number; callbackBaseUrl?: string; history?: number } = {},
  answer?: Parameters<typeof startExternalSystem>[0],
  settings: Record<string, string> = {}
) {
  const externalSystem = await startExternalSystem(answer)
  const server = await startTestServer({
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host, ...settings }
  })
  const inputUrl = `${externalSystem.url}/in`
  await createAgent(
    server.ctx,
    AgentConfig.parse({
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl, ...external }
    })
  )
  await createSession(server.ctx, { agentId: 'acme', sessionId: 'order-1' })
  const session = await server.reopenSession('order-1')
  const send = (text: string, key?: string) =>
    sendMessage(server.ctx, SendMessage.parse({ sessionId: 'order-1', text, key }))
  return { ...server, externalSystem, session, send, token: await linkToken(server.ctx) }
}

/** Returns the token of the callback link of the session `order-1`. */
export async function linkToken(ctx: Ctx): Promise<string> {
  const link = new URL((await callbackLinkOf(ctx, { sessionId: 'order-1' })).callbackUrl)
  return link.searchParams.get('token') ?? ''
}

/** Returns a session token of the end user Ada for the session `order-1`. */
export async function tokenOfAda(): Promise<string> {
  const body = { subject: 'ada', scopes: ['read', 'send'] }
  const created = await callEndpoint(tokenOperations.create, { params: { sessionId: 'order-1' }, body })
  return String(created.body.token)
}

/** Sends a request of the external agent of `order-1` with the token of its link. Returns the status and JSON body. */
export async function asAgent(
  operation: Operation,
  token: string | undefined,
  { query, headers, params, ...input }: EndpointCall
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await requestEndpoint(operation, {
    params: { sessionId: 'order-1', ...params },
    query: { ...(token === undefined ? {} : { token }), ...query },
    headers: { ...headers },
    ...input
  })
  return { status: response.status, body: await response.json() }
}

/** Posts a reply as an external agent would: as plain text, without a key. */
export const reply = async (
  raw: string | Uint8Array<ArrayBuffer>,
  query: Record<string, string>,
  headers: Record<string, string> = {}
) => {
  const sessionId = query.sessionId ?? 'order-1'
  const { sessionId: _, ...rest } = query
  const response = await requestEndpoint(callback, {
    params: { sessionId },
    query: rest,
    raw,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
