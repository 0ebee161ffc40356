import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { updateAgent } from '#lib/agents/update.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { acme, reply } from './acme.ts'

const testAgent = (agentId: string) => callEndpoint(externalOperations.test, { params: { agentId } })

test('000-23: a test message is signed, and its response is returned; it is not stored, and not answered', async () => {
  const { externalSystem, sql } = await acme({}, response => void response.end('Hello from Acme.'))
  const { secret } = (await callEndpoint(externalOperations.rotate, { params: { agentId: 'acme' } })).body
  const tested = await testAgent('acme')
  expect(tested.status).toBe(200)
  expect(tested.body).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    ms: expect.any(Number),
    status: 200,
    body: 'Hello from Acme.'
  })
  const { headers, body } = await externalSystem.request(0)
  const sent = new Webhook(String(secret)).verify(body, headers as Record<string, string>)
  expect(sent).toMatchObject({ sessionId: 'test', agentId: 'acme', message: { type: 'test' } })
  expect(headers['idempotency-key']).toBe(headers['webhook-id'])
  expect(await sql`select from deliveries`).toHaveLength(0)
  const { callbackUrl } = sent as { callbackUrl: string }
  const token = new URL(callbackUrl).searchParams.get('token') ?? ''
  expect((await reply('Hi.', { sessionId: 'test', token })).status).toBe(401)
})

test('a test of an agent that rejects messages or cannot be reached returns why', async () => {
  const { ctx, externalSystem } = await acme({}, response => void response.writeHead(503).end('Closed.'))
  expect((await testAgent('acme')).body).toMatchObject({
    status: 503,
    error: expect.any(String),
    body: 'Closed.'
  })
  const external = { inputUrl: 'http://10.0.0.1/in' }
  await updateAgent(ctx, { agentId: 'acme', displayName: 'Acme', type: 'external', external } as never)
  const unreachable = (await testAgent('acme')).body
  expect(unreachable).toMatchObject({ error: expect.any(String) })
  expect(unreachable).not.toHaveProperty('status')
  expect(externalSystem.requests).toHaveLength(1)
})

test('only external agents can be tested', async () => {
  const server = await acme()
  await server.saveAgent({ chat: {} })
  expect(await testAgent('test')).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
  expect(await testAgent('none')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(server.externalSystem.requests).toHaveLength(0)
})
