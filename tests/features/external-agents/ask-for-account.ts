import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { createAgent } from '#lib/agents/create.ts'
import { getIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { acmeAt } from '#packages/sample-acme/src/client.ts'
import { connectAt, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { asAgent, linkToken } from './acme.ts'

/** Opens a call of an external agent that asks for an account at Acme, whose API is `api`. */
export async function askForAccount(answer: Parameters<typeof startExternalSystem>[0]) {
  const [api, agent] = [await startExternalSystem(answer), await startExternalSystem()]
  const server = await withAcme({ WAYSTATION_EGRESS_ALLOW: `${api.host},${agent.host}` })
  const { config } = await getIntegration(server.ctx, { integration: 'acme' })
  await saveIntegration(server.ctx, {
    integration: 'acme',
    clientSecret: acmeAt(server.origin, server.env.authSecret).clientSecret,
    config: { ...config, origins: [api.url] }
  })
  const external = { inputUrl: `${agent.url}/in` }
  await createAgent(
    server.ctx,
    AgentConfig.parse({ agentId: 'office', displayName: 'Office', type: 'external', external })
  )
  await createSession(server.ctx, { agentId: 'office', sessionId: 'order-1' })
  const token = await linkToken(server.ctx)
  const body = { kind: 'connection', title: 'Connect Acme', integration: 'acme' }
  const opened = await asAgent(externalOperations.openCall, token, { body })
  const toolCallId = String(opened.body.toolCallId)
  const fetchToken = new URL(String(opened.body.fetchUrl)).searchParams.get('token') ?? ''
  return {
    ...server,
    api,
    agent,
    connect: async () => {
      await connectAt(server, await server.reopenSession('order-1'), { toolCallId })
      return JSON.parse((await agent.request(0)).body).message
    },
    fetch: (request: object) =>
      asAgent(externalOperations.fetchWithAccount, fetchToken, { params: { toolCallId }, body: request })
  }
}
