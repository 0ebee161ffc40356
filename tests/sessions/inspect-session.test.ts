import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { ContextView } from '@waystation/protocol/session/context.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import type { Operation } from '#lib/http/operation.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

/** Calls this endpoint as a viewer of the workspace, and returns the body. */
async function readAsViewer<T>({ ctx }: TestServer, operation: Operation, sessionId: string): Promise<T> {
  const { secret } = await createKey(ctx, { name: 'Vera', role: 'viewer' })
  const headers = { authorization: `Bearer ${secret}` }
  const response = await requestEndpoint(operation, { params: { sessionId }, headers })
  expect(response.status).toBe(200)
  return response.json()
}
const contextOf = (server: TestServer, id: string) =>
  readAsViewer<ContextView>(server, sessionOperations.context, id)
const deliveriesOf = async (server: TestServer, id: string) =>
  (await readAsViewer<{ deliveries: Delivery[] }>(server, sessionOperations.deliveries, id)).deliveries

test('the context equals the prompt: a late answer leaves “still waiting” at its place and appears further down', async () => {
  const question = { name: 'ask-question', input: { question: 'Tea?' } }
  const server = await startTestServer({
    script: [replyCalls(question), replyText('Meanwhile.'), replyText('Tea it is.')]
  })
  const session = await server.startSession()
  await session.runTurn('offer tea')
  const call = await session.waitForCall('ask-question')
  const contextWhileOpen = await contextOf(server, session.id)
  expect(
    contextWhileOpen.shown.map(({ kind, stillWaiting }) => [
      kind,
      stillWaiting.map(({ answered }) => answered)
    ])
  ).toEqual([
    ['user', []],
    ['step', [false]]
  ])
  await session.runTurn('hello')
  const ended = session.waitForEnd()
  await session.answer(call, { output: { answer: 'yes' } })
  await ended
  const context = await contextOf(server, session.id)
  expect(context.shown.map(({ kind }) => kind)).toEqual(['user', 'step', 'user', 'step', 'answer', 'step'])
  expect(context.shown[1]?.stillWaiting).toEqual([
    { toolCallId: call.toolCallId, toolName: 'ask-question', answered: true }
  ])
  const roles = context.shown.flatMap(({ messages }) => messages.map(({ role }) => role))
  expect(roles).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'user', 'assistant'])
  expect(JSON.stringify(context.shown[4]?.messages)).toContain('yes')
  expect(context.entries).toBe(6)
  expect(context.tokens).toBe(context.shown.reduce((sum, { tokens }) => sum + tokens, 0))
  expect(context.summary).toBeUndefined()
})

test('of a long context the newest 50 entries are returned, a huge message is cut, and the figures cover everything', async () => {
  const server = await startTestServer({ script: [replyText('Long.')] })
  const session = await server.startSession()
  await session.runTurn('x'.repeat(30_000))
  await server.sql`
    insert into context (session_key, kind, turn_id, payload, tokens)
    select ${session.key}, 'note', 'turn', jsonb_build_object('text', 'Note ' || n), 3 from generate_series(1, 48) n`
  const fullContext = await contextOf(server, session.id)
  expect(fullContext.shown).toHaveLength(50)
  expect(fullContext.shown[0]?.messages[0]).toMatchObject({ role: 'user', cut: expect.any(Number) })
  expect(JSON.stringify(fullContext.shown[0]).length).toBeLessThan(25_000)
  await server.sql`
    insert into context (session_key, kind, turn_id, payload, tokens)
    values (${session.key}, 'note', 'turn', ${{ text: 'The last one' }}::jsonb, 3)`
  const { shown, entries, tokens } = await contextOf(server, session.id)
  expect(shown).toHaveLength(50)
  expect(shown[0]?.kind).toBe('step')
  expect(shown.at(-1)?.messages).toEqual([{ role: 'user', content: '<note>The last one</note>' }])
  expect(entries).toBe(51)
  expect(tokens).toBeGreaterThan(7500)
})

test('messages that left the window are shown as a summary, not as entries', async () => {
  const server = await startTestServer({ script: [replyText('One.'), replyText('Two.')] })
  const session = await server.startSession()
  await session.runTurn('first')
  await session.runTurn('second')
  await server.sql`
    update sessions set summary = '- first', context_start = (
      select min(id) from context where session_key = ${session.key}) + 1 where key = ${session.key}`
  const { shown, summary, entries } = await contextOf(server, session.id)
  expect(summary).toEqual({ text: '- first', tokens: 2 })
  expect(shown.map(({ kind }) => kind)).toEqual(['user', 'step'])
  expect(entries).toBe(2)
})

test('each attempt of a failed delivery is shown in the log as it happens, without the sent content', async () => {
  const externalServer = await startExternalSystem((response, _request, index) => {
    response.statusCode = index === 0 ? 503 : 500
    response.end()
  })
  const server = await startTestServer({
    script: [replyCalls({ name: 'dispatch', input: {} }), replyText('Sent.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  const inputSchema = { type: 'object' }
  const url = `${externalServer.url}/orders?token=secret-token`
  const tool = { name: 'dispatch', where: 'external' as const, title: 'Acme', description: 'D', inputSchema }
  await server.saveAgent({ chat: { tools: [{ ...tool, url, retries: 1 }] } })
  const session = await server.startSession('test')
  await session.runTurn('dispatch')
  const call = await session.waitForCall('dispatch')
  expect(call.title).toBe('Acme')
  const attemptEvent = await session.waitForEvent(event => event.type === 'delivery')
  expect(attemptEvent).toMatchObject({
    delivery: {
      toolCallId: call.toolCallId,
      kind: 'call.opened',
      to: `${externalServer.url}/••••`,
      state: 'pending',
      retries: 1,
      attempts: [{ status: 503, error: expect.stringContaining('503'), ms: expect.any(Number) }],
      nextAt: expect.stringMatching(/Z$/)
    }
  })
  await server.advanceTime(60)
  const last = await session.waitForEvent(
    event => event.type === 'delivery' && event.delivery.state === 'failed'
  )
  const deliveries = await deliveriesOf(server, session.id)
  expect(deliveries).toEqual([last.type === 'delivery' ? last.delivery : undefined])
  expect(deliveries[0]?.attempts.map(({ status }) => status)).toEqual([503, 500])
  expect(deliveries[0]).not.toHaveProperty('nextAt')
  expect(JSON.stringify([deliveries, await session.log()])).not.toMatch(/secret-token|external\/calls/)
  await expectValidSessions(server.sql)
})

test('a delivery that arrives is shown, and a session without deliveries has none', async () => {
  const externalServer = await startExternalSystem()
  const server = await startTestServer({
    script: [replyCalls({ name: 'dispatch', input: {} }), replyText('Sent.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  const tool = {
    name: 'dispatch',
    where: 'external' as const,
    description: 'D',
    inputSchema: { type: 'object' }
  }
  await server.saveAgent({ chat: { tools: [{ ...tool, url: externalServer.url, retries: 0 }] } })
  const session = await server.startSession('test')
  await session.runTurn('dispatch')
  await session.waitForEvent(event => event.type === 'delivery')
  expect(await deliveriesOf(server, session.id)).toMatchObject([
    { state: 'delivered', attempts: [{ status: 200 }] }
  ])
  expect(await deliveriesOf(server, (await server.startSession('test')).id)).toEqual([])
})
