import { expect, test } from 'vitest'
import { answerExternal } from '#lib/features/webhooks/answer-links/answer-external.ts'
import { answerLinkOf } from '#lib/features/webhooks/answer-links/answer-link-of.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { type ExternalRequest, startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns an agent with a tool that an external system fulfils, and that system. */
async function externalToolSession(
  tool: { retries?: number; approval?: 'ask'; deadlineSeconds?: number } = {},
  answer?: Parameters<typeof startExternalSystem>[0]
) {
  const externalSystem = await startExternalSystem(answer)
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'dispatch', input: { order: 'lamp oil' } }),
      replyText('Sent.'),
      replyText('It is there.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  const inputSchema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }
  const outputSchema = { type: 'object', properties: { eta: { type: 'string' } }, required: ['eta'] }
  await server.saveAgent({
    chat: {
      tools: [
        {
          name: 'dispatch',
          where: 'external',
          description: 'Dispatches.',
          inputSchema,
          outputSchema,
          url: `${externalSystem.url}/orders`,
          retries: 0,
          ...tool
        }
      ]
    }
  })
  const session = await server.startSession('test')
  await session.runTurn('dispatch lamp oil')
  return { ...server, externalSystem, session, call: await session.waitForCall('dispatch') }
}

const bodyOf = (request: ExternalRequest) =>
  JSON.parse(request.body) as { answerUrl: string; [field: string]: unknown }
const capabilityIn = (url: unknown) => String(url).split('/').at(-1) ?? ''

test('a link is invalid after its session’s generation, even if the call row still exists', async () => {
  const { ctx, sql, session, call } = await externalToolSession()
  const { answerUrl } = await answerLinkOf(ctx, { sessionId: session.id, toolCallId: call.toolCallId })
  await sql`update heads set generation = generation + 1 where session_key = ${session.key}`
  const answer = { capability: capabilityIn(answerUrl), answer: { output: { eta: 'Monday' } } }
  await expect(answerExternal(ctx, answer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await sql`update heads set generation = generation - 1 where session_key = ${session.key}`
  await expect(answerExternal(ctx, answer)).resolves.toMatchObject({ state: 'answered' })
})

test('an opened call is announced once with all it needs, and an answer through its link continues the turn', async () => {
  const { ctx, sql, model, externalSystem, session, call, env } = await externalToolSession()
  const announcement = await externalSystem.request(0)
  expect(announcement).toMatchObject({
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'application/json', 'idempotency-key': expect.any(String) }
  })
  expect(bodyOf(announcement)).toEqual({
    type: 'call.opened',
    sessionId: session.id,
    agentId: 'test',
    toolCallId: call.toolCallId,
    toolName: 'dispatch',
    input: { order: 'lamp oil' },
    deadline: call.deadline,
    answerUrl: expect.stringMatching(new RegExp(`^${env.url}/external/calls/`))
  })
  const capability = capabilityIn(bodyOf(announcement).answerUrl)
  const ended = session.waitForEnd()
  await expect(answerExternal(ctx, { capability, answer: { output: { eta: 7 } } })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  expect(await answerExternal(ctx, { capability, answer: { output: { eta: 'Monday', extra: 1 } } })).toEqual({
    toolCallId: call.toolCallId,
    state: 'answered'
  })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'answered',
    via: 'callback',
    answeredBy: 'dispatch',
    output: { eta: 'Monday' }
  })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('Monday')
  await expect(
    answerExternal(ctx, { capability, answer: { output: { eta: 'Tuesday' } } })
  ).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
  await sql`select graphile_worker.add_job('announce', ${{ sessionKey: session.key, toolCallId: call.toolCallId }}::json)`
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where task_identifier = 'announce'`).length)
    .toBe(0)
  expect(externalSystem.requests).toHaveLength(1)
  expect(await sql`select state from deliveries`).toEqual([{ state: 'delivered' }])
  await expectValidSessions(sql)
})

test('the external system can answer after three days, while the conversation continues', async () => {
  const { ctx, sql, model, externalSystem, session } = await externalToolSession()
  const capability = capabilityIn(bodyOf(await externalSystem.request(0)).answerUrl)
  await session.runTurn('meanwhile, hello')
  const ended = session.waitForEnd()
  await answerExternal(ctx, { capability, answer: { error: 'The lamp oil is gone.' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(JSON.stringify(model.requests[2]?.body.messages)).toMatch(/call_answer.*The lamp oil is gone/)
  await expectValidSessions(sql)
})

test('delivery to a system that is down is retried as often as the tool says, and the call stays open', async () => {
  const { sql, externalSystem, session, advanceTime } = await externalToolSession(
    { retries: 2 },
    (response, _request, index) => {
      response.statusCode = index < 2 ? 503 : 200
      response.end()
    }
  )
  for (let tries = 1; tries <= 2; tries++) {
    await session.waitForEvent(event => event.type === 'delivery' && event.delivery.attempts.length === tries)
    await advanceTime(60)
  }
  await externalSystem.request(2)
  await expect
    .poll(async () => (await sql<{ state: string }[]>`select state from deliveries`)[0]?.state)
    .toBe('delivered')
  const keys = externalSystem.requests.map(request => request.headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('without retries a failed delivery is recorded, and nothing is sent twice', async () => {
  const { sql, externalSystem, session } = await externalToolSession(
    {},
    response => void response.writeHead(500).end()
  )
  await expect
    .poll(async () => (await sql<{ state: string }[]>`select state from deliveries`)[0]?.state)
    .toBe('failed')
  expect(await sql`select attempts -> 0 ->> 'status' as status from deliveries`).toEqual([{ status: '500' }])
  expect(externalSystem.requests).toHaveLength(1)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('a request with a forged link is not read: the response is always 401', async () => {
  await startTestServer()
  for (const raw of ['{"output":', '{"output":1,"error":"x"}', 'x'.repeat(3 * 1024 * 1024)]) {
    const { status } = await requestEndpoint(callOperations.external, {
      params: { capability: 'forged' },
      raw
    })
    expect(status).toBe(401)
  }
})

test('a link that is forged, for another call or signed by another workspace is not accepted', async () => {
  const { ctx, externalSystem, session } = await externalToolSession()
  const capability = capabilityIn(bodyOf(await externalSystem.request(0)).answerUrl)
  const answer = { output: { eta: 'now' } }
  const other = capability.replace(/~call_[^~]+~/, '~call_other~')
  for (const forgedLink of [
    '',
    'x',
    `${capability.slice(0, -1)}${capability.endsWith('A') ? 'B' : 'A'}`,
    other,
    capability.replace('default', 'other'),
    `${capability}~`,
    capability.replace(/~\d+~/, '~999~')
  ])
    await expect(answerExternal(ctx, { capability: forgedLink, answer }), forgedLink).rejects.toMatchObject({
      code: 'UNAUTHENTICATED'
    })
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('a link from an earlier generation of the session is genuine, but gives no access', async () => {
  const { ctx, externalSystem, session } = await externalToolSession()
  const capability = capabilityIn(bodyOf(await externalSystem.request(0)).answerUrl)
  const answer = { output: { eta: 'now' } }
  await deleteSession(ctx, { sessionId: session.id })
  await expect(answerExternal(ctx, { capability, answer })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await createSession(ctx, { sessionId: session.id, agentId: 'test' })
  await expect(answerExternal(ctx, { capability, answer })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a client that can answer can request the link while the call is open', async () => {
  const { ctx, actAs, externalSystem, session, call, sql } = await externalToolSession()
  const { answerUrl } = await answerLinkOf(ctx, { sessionId: session.id, toolCallId: call.toolCallId })
  // This link differs from the external system’s own: an answer through it belongs to the user who requested
  // it.
  expect(answerUrl).not.toBe(bodyOf(await externalSystem.request(0)).answerUrl)
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  await expect(
    answerLinkOf(actAs('Eve', 'other'), { sessionId: session.id, toolCallId: call.toolCallId })
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(JSON.stringify(session.events)).not.toContain('/external/calls/')
  const answer = { capability: capabilityIn(answerUrl), answer: { output: { eta: 'Monday' } } }
  const forgedLink = { ...answer, capability: capabilityIn(answerUrl).replace(/~[^~]+(~[^~]+)$/, '~e30$1') }
  await expect(answerExternal(ctx, forgedLink)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect(answerExternal(ctx, answer)).resolves.toMatchObject({ state: 'answered' })
})

test('with a required approval, nothing is sent before it; edited arguments are the ones that are sent', async () => {
  const { externalSystem, session, call } = await externalToolSession({ approval: 'ask' })
  expect(call).toMatchObject({ kind: 'approval', where: 'external' })
  expect(externalSystem.requests).toHaveLength(0)
  await session.answer(call, { approved: true, input: { order: 'two lamps' } })
  expect(bodyOf(await externalSystem.request(0))).toMatchObject({ input: { order: 'two lamps' } })
  expect((await session.get()).session.waitingFor).toMatchObject([{ kind: 'external', state: 'open' }])
})

test('the required arguments of a call come first, in the order of the tool’s schema', async () => {
  const input = { at: 'noon', regions: ['eu', 'us'], service: 'shop', version: '2' }
  const server = await startTestServer({ script: [replyCalls({ name: 'deploy', input })] })
  const string = { type: 'string' }
  await server.saveAgent({
    chat: {
      tools: [
        {
          name: 'deploy',
          where: 'external',
          description: 'Deploys.',
          inputSchema: {
            type: 'object',
            properties: {
              service: string,
              version: string,
              regions: { type: 'array', items: string },
              at: string
            },
            required: ['service', 'version', 'regions']
          },
          url: 'https://deploy.example/',
          approval: 'ask'
        }
      ]
    }
  })
  const session = await server.startSession('test')
  await session.runTurn('deploy')
  const { calls } = await session.get()
  expect(calls[0]?.input).toEqual(input)
  expect(Object.keys(calls[0]?.input as object)).toEqual(['service', 'version', 'regions', 'at'])
})

test('an approved call waits for the external system as long as the tool says, counted from the approval', async () => {
  const { session, call, advanceTime } = await externalToolSession({ approval: 'ask', deadlineSeconds: 600 })
  await advanceTime(500)
  await session.answer(call, { approved: true })
  const [passedOnCall] = (await session.get()).session.waitingFor
  const seconds = (Date.parse(passedOnCall?.deadline ?? '') - Date.parse(passedOnCall?.since ?? '')) / 1000
  expect(seconds).toBeCloseTo(600, 0)
})

test('a call that was settled before its announcement is not announced', async () => {
  const delivered = Promise.withResolvers<void>()
  const { externalSystem, session, call } = await externalToolSession({ retries: 3 }, response => {
    void delivered.promise.then(() => response.writeHead(503).end())
  })
  await externalSystem.request(0)
  await session.answer(call, { declined: true })
  delivered.resolve()
  await session.waitForEvent(event => event.type === 'delivery' && event.delivery.state === 'withdrawn')
  expect(externalSystem.requests).toHaveLength(1)
})
