import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { verifySignature } from '#lib/deliveries/sign.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { check, listKnown } = externalOperations

/** Returns a server with Acme, an external agent whose `checkUrl` gives this answer. */
async function acmeThatAnswers(answer: Parameters<typeof startExternalSystem>[0], withUrl = true) {
  const externalSystem = await startExternalSystem(answer)
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  const external = {
    inputUrl: `${externalSystem.url}/in`,
    ...(withUrl ? { checkUrl: `${externalSystem.url}/check` } : {})
  }
  await createAgent(
    server.ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  const checkId = (sessionId: string, key?: string) =>
    callEndpoint(check, { query: { agentId: 'acme', sessionId } }, key)
  const list = (query?: string, key?: string) =>
    callEndpoint(listKnown, { params: { agentId: 'acme' }, query: query === undefined ? {} : { query } }, key)
  return { ...server, externalSystem, checkId, list }
}

test('000-22: the server asks the external agent, signed, whether it knows an ID; an unknown ID can still be used', async () => {
  const { externalSystem, checkId, ctx } = await acmeThatAnswers((response, { body }) =>
    response.end(JSON.stringify({ exists: JSON.parse(body).sessionId === 'order-7', title: ' Two crates ' }))
  )
  const { secret } = await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 0 })
  expect((await checkId('order-7')).body).toEqual({
    sessionId: 'order-7',
    outcome: 'new',
    external: { exists: true, title: 'Two crates' }
  })
  const { headers, body } = await externalSystem.request(0)
  expect(JSON.parse(body)).toEqual({ type: 'check', sessionId: 'order-7', agentId: 'acme' })
  const signature = {
    id: String(headers['webhook-id']),
    timestamp: String(headers['webhook-timestamp']),
    signature: String(headers['webhook-signature'])
  }
  expect(verifySignature([secret], signature, body)).toBe(true)
  expect((await checkId('order-8')).body).toMatchObject({ outcome: 'new', external: { exists: false } })
  const created = await callEndpoint(sessionOperations.create, {
    body: { agentId: 'acme', sessionId: 'order-8' }
  })
  expect(created.status).toBe(201)
})

test('000-22: a caller who cannot create sessions learns nothing from the external agent', async () => {
  const { externalSystem, checkId, list, ctx } = await acmeThatAnswers(response =>
    response.end('{"exists":true}')
  )
  const { secret: viewer } = await createKey(ctx, { name: 'viewer', role: 'viewer' })
  expect((await checkId('order-7', viewer)).body).toEqual({ sessionId: 'order-7', outcome: 'new' })
  expect(await list(undefined, viewer)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(externalSystem.requests).toHaveLength(0)
})

test('000-22: the conversations of an external agent are listed, at most 100, without IDs that are none', async () => {
  const { externalSystem, list } = await acmeThatAnswers(response =>
    response.end(
      JSON.stringify({
        sessions: [
          { sessionId: 'order-1', title: 'Crates', updatedAt: '2026-03-05T14:02:00Z', secret: 'x' },
          { sessionId: 'not an id' },
          { sessionId: 'order-2', updatedAt: 'yesterday' },
          { sessionId: 'order-3', title: null, updatedAt: null },
          ...Array.from({ length: 200 }, (_, n) => ({ sessionId: `more-${n}` }))
        ]
      })
    )
  )
  const { status, body } = await list('crates')
  expect(status).toBe(200)
  const sessions = body.sessions as unknown[]
  expect(sessions).toHaveLength(100)
  expect(sessions.slice(0, 3)).toEqual([
    { sessionId: 'order-1', title: 'Crates', updatedAt: '2026-03-05T14:02:00.000Z' },
    { sessionId: 'order-2' },
    { sessionId: 'order-3' }
  ])
  expect(JSON.parse((await externalSystem.request(0)).body)).toMatchObject({ type: 'list', query: 'crates' })
})

test('000-22: a bad response of a checkUrl becomes an error in our own text', async () => {
  const answers: [number, string][] = [
    [500, '<html>secret</html>'],
    [200, '<html>secret</html>'],
    [200, '{"exists":"secret"}'],
    [200, `{"exists":true,"title":"${'secret '.repeat(20_000)}"}`],
    [302, '']
  ]
  const { checkId, list } = await acmeThatAnswers((response, _, index) => {
    const [status, text] = answers[index % answers.length] ?? [200, '']
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(text)
  })
  for (const _ of answers) {
    const { status, body } = await checkId('order-7')
    expect(status).toBe(200)
    expect(body).toMatchObject({ outcome: 'new', external: { error: expect.stringContaining('Acme') } })
    expect(JSON.stringify(body)).not.toContain('secret')
  }
  for (const _ of answers) {
    const { status, body } = await list()
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
    expect(JSON.stringify(body)).not.toContain('secret')
  }
})

test('000-22: an agent without a checkUrl is not asked', async () => {
  const { externalSystem, checkId, list } = await acmeThatAnswers(response => response.end('{}'), false)
  expect((await checkId('order-7')).body).toEqual({ sessionId: 'order-7', outcome: 'new' })
  expect(await list()).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
  expect(externalSystem.requests).toHaveLength(0)
})
