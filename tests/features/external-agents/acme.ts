import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { createAgent } from '#lib/agents/create.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { callback } = externalOperations

/** Returns a session `order-1` with an external agent, Acme, and its server. */
export async function acme(
  { retries = 0, callbackBaseUrl }: { retries?: number; callbackBaseUrl?: string } = {},
  answer?: Parameters<typeof startExternalSystem>[0]
) {
  const externalSystem = await startExternalSystem(answer)
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  const external = {
    inputUrl: `${externalSystem.url}/in`,
    retries,
    ...(callbackBaseUrl ? { callbackBaseUrl } : {})
  }
  await createAgent(
    server.ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  await createSession(server.ctx, { agentId: 'acme', sessionId: 'order-1' })
  const session = await server.reopenSession('order-1')
  const send = (text: string, key?: string) =>
    sendMessage(server.ctx, SendMessage.parse({ sessionId: 'order-1', text, key }))
  const link = new URL((await callbackLinkOf(server.ctx, { sessionId: 'order-1' })).callbackUrl)
  return { ...server, externalSystem, session, send, token: link.searchParams.get('token') ?? '' }
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
