import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { getIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { revokeConnection } from '#lib/features/connections/revoke.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { acmeAt } from '#packages/sample-acme/src/client.ts'
import { connectAt, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { asAgent, linkToken } from './acme.ts'

/** Opens a call of an external agent that asks for an account at Acme, whose API is `api`. */
async function askForAccount(answer: Parameters<typeof startExternalSystem>[0]) {
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

test('an external agent asks for an account, and sends requests with it that never show the credential', async () => {
  const { api, connect, fetch, ctx } = await askForAccount((response, { headers }) =>
    response.writeHead(201, { 'content-type': 'text/plain' }).end(`You sent ${headers.authorization}`)
  )
  const url = `${api.url}/items`
  expect(await fetch({ url })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(await connect()).toMatchObject({
    type: 'call.settled',
    kind: 'connection',
    state: 'answered',
    output: { connected: true, integration: 'acme', slug: 'acme' }
  })
  const sent = await fetch({ url, method: 'POST', body: { a: 1 } })
  expect(sent).toMatchObject({ status: 200, body: { status: 201, url, text: 'You sent Bearer ••••' } })
  const request = await api.request(0)
  expect(request).toMatchObject({ method: 'POST', body: '{"a":1}' })
  expect(request.headers.authorization).toMatch(/^Bearer ./)
  const { entries } = await listAudit(ctx, { limit: 10 })
  expect(entries.map(({ action, toolName }) => [action, toolName]).slice(0, 2)).toEqual([
    ['account.used', `POST ${api.host}`],
    ['call.opened', 'request_connection']
  ])
})

test('an account is used only at its own service, and not after it was revoked', async () => {
  const { api, agent, connect, fetch, ctx } = await askForAccount(response => response.end('ok'))
  await connect()
  expect(await fetch({ url: `${agent.url}/in` })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT', fields: { url: expect.any(String) } }
  })
  expect(await fetch({ url: `${api.url}/a`, headers: { authorization: 'x' } })).toMatchObject({ status: 422 })
  expect(await fetch({ url: `${api.url}/a` })).toMatchObject({ status: 200, body: { status: 200 } })
  const [connection] = (await listConnections(ctx)).connections
  await revokeConnection(ctx, { connectionId: connection?.connectionId ?? '' })
  expect(await fetch({ url: `${api.url}/a` })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect([api.requests.length, agent.requests.length]).toEqual([1, 1])
})
