import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { cancelCall } from '#lib/engine/calls/cancel.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const day = 86_400
const pickFile = {
  name: 'pick-file',
  description: 'Lets the person pick a file.',
  inputSchema: { type: 'object', properties: { hint: { type: 'string' } } },
  outputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
}
const pickFileCall = { name: 'pick-file', input: { hint: 'csv' } }
const question = { name: 'ask-question', input: { question: 'Tea?' } }

/** Returns the tool results in a prompt, by call, as the provider receives them. */
const resultsIn = (request: ModelRequest | undefined) =>
  (request?.body.messages ?? []).flatMap(message =>
    message.role === 'tool'
      ? [{ id: (message as { tool_call_id?: string }).tool_call_id, content: message.content }]
      : []
  )

/** Returns a session whose client declared `pick-file` and whose agent has called it. */
async function declared(...replies: Parameters<typeof replyText>[0][]) {
  const server = await startTestServer({
    script: [replyCalls(pickFileCall), ...replies.map(text => replyText(text))]
  })
  const session = await server.startSession()
  const parked = await session.runTurn('read my file', { clientTools: [pickFile] })
  return { ...server, session, parked, call: await session.waitForCall('pick-file') }
}

test('002-1: a tool without server code is emitted and parks the run; its output is the result of the same call, without an extra frame', async () => {
  const { sql, model, session, parked, call } = await declared('Read a.csv.')
  expect(parked).toMatchObject({ outcome: 'parked', status: 'parked' })
  expect(call).toMatchObject({ kind: 'client', where: 'browser', state: 'open', input: { hint: 'csv' } })
  expect(model.requests[0]?.body.tools).toContainEqual(
    expect.objectContaining({ function: expect.objectContaining({ name: 'pick-file' }) })
  )
  // A parked session consists of rows only: no worker owns it and no work is due.
  expect(await sql`select owner, has_work, turn_id from heads where session_key = ${session.key}`).toEqual([
    { owner: null, hasWork: 0, turnId: null }
  ])

  const ended = session.waitForEnd()
  await session.answer(call, { output: { name: 'a.csv' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(resultsIn(model.requests[1])).toEqual([{ id: call.toolCallId, content: '{"name":"a.csv"}' }])
  expect((await session.get()).messages).toHaveLength(2)
  const log = await session.log()
  expect(new Set(log.map(event => event.type))).toEqual(
    new Set(['session', 'message', 'status', 'chunk', 'call'])
  )
  const chunks = new Set(log.flatMap(event => (event.type === 'chunk' ? [event.chunk.type] : [])))
  expect([...chunks].filter(type => type.startsWith('tool-')).sort()).toEqual([
    'tool-input-available',
    'tool-input-delta',
    'tool-input-start'
  ])
  await expectValidSessions(sql)
})

/** Returns an agent that asks a user, a browser, an approver and an external system in one step. */
async function sessionWithAllKinds() {
  const externalServer = await startExternalSystem()
  const server = await startTestServer({
    script: [
      replyCalls(
        question,
        { name: 'client-info', input: {} },
        { name: 'web-fetch', input: { url: `${externalServer.url}/page` } },
        { name: 'dispatch', input: {} }
      ),
      replyText('All is in.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  const dispatch = {
    name: 'dispatch',
    where: 'external' as const,
    description: 'Dispatches.',
    inputSchema: { type: 'object' },
    url: `${externalServer.url}/orders`,
    retries: 0
  }
  await server.saveAgent({
    chat: {
      tools: [
        { name: 'ask-question' },
        { name: 'client-info' },
        { name: 'web-fetch', approval: 'ask' },
        dispatch
      ]
    }
  })
  const session = await server.startSession('test')
  await session.runTurn('go')
  return { ...server, session }
}

test('002-2: an approval, a question, a browser tool and an external tool all park the run and resume it with an answer to their call', async () => {
  const { sql, model, session } = await sessionWithAllKinds()
  const answers: Record<string, object> = {
    'ask-question': { output: { answer: 'tea' } },
    'client-info': { output: { timeZone: 'UTC', locale: 'en' } },
    'web-fetch': { approved: true },
    dispatch: { output: { eta: 'Monday' } }
  }
  const { waitingFor } = (await session.get()).session
  expect(waitingFor.map(call => call.toolName).sort()).toEqual(Object.keys(answers).sort())
  const ended = session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  for (const { toolCallId, toolName } of waitingFor) {
    expect(model.requests).toHaveLength(1)
    const params = { sessionId: session.id, toolCallId }
    const { status } = await callEndpoint(callOperations.answer, { params, body: answers[toolName] })
    expect(status, toolName).toBe(200)
  }
  await ended
  const results = resultsIn(model.requests[1])
  expect(results.map(({ id }) => id).sort()).toEqual(waitingFor.map(({ toolCallId }) => toolCallId).sort())
  const toolResults = JSON.stringify(results)
  for (const resultTexts of ['tea', 'UTC', '/page', 'Monday']) expect(toolResults).toContain(resultTexts)
  await expectValidSessions(sql)
})

test('002-6: one field says where a tool runs, with the same value in the catalogue, the call, the pending list and the log', async () => {
  const { session } = await sessionWithAllKinds()
  const { body } = await callEndpoint(agentOperations.tools)
  const catalogue = body.tools as { name: string; where: string }[]
  const where = Object.fromEntries([
    ...catalogue.map(tool => [tool.name, tool.where]),
    // This tool of the agent declares where it runs.
    ['dispatch', 'external']
  ])
  expect(where).toMatchObject({ 'web-fetch': 'server', 'client-info': 'browser', 'ask-question': 'approver' })
  const sessionView = await callEndpoint(sessionOperations.get, { params: { sessionId: session.id } })
  const pendingCalls = await callEndpoint(callOperations.waiting)
  const loggedCalls = session.events.flatMap(event => (event.type === 'call' ? [event.call] : []))
  for (const list of [sessionView.body.calls, pendingCalls.body.calls, loggedCalls] as Call[][]) {
    expect(list).toHaveLength(4)
    for (const call of list) expect(call.where, call.toolName).toBe(where[call.toolName])
  }
})

test('002-5: a call that only another client can handle stays open: no other client’s message or tools fail it', async () => {
  const { sql, model, actAs, session, call, ctx } = await declared('Hello.', 'I see.')
  const before = (await session.get()).session.waitingFor
  const other = { ...pickFile, name: 'take-photo' }
  expect(await session.runTurn('hello', { clientTools: [other] })).toMatchObject({ status: 'parked' })
  expect((await session.get()).session.waitingFor).toEqual(before)
  const names = ((await model.request(1)).body.tools as { function: { name: string } }[]).map(
    tool => tool.function.name
  )
  expect(names).toEqual(expect.arrayContaining(['pick-file', 'take-photo']))

  // The client that declared the tool reconnects, as the same or another user, and answers.
  const ended = session.waitForEnd()
  await session.answer(call, { output: { name: 'late.csv' } }, actAs('Bob'))
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('late.csv')
  expect(ctx.actor.name).not.toBe((await session.waitForSettled(call)).answeredBy)
  await expectValidSessions(sql)
})

test('002-5: the generic widget settles the call as a definite failure only if a user says so, in text that the model reads', async () => {
  const { sql, model, session, call } = await declared('I see.')
  const error = 'No client of this session could handle pick-file. A user ended the call.'
  for (const answer of [{ approved: true }, { output: { size: 1 } }, { output: 'a.csv' }])
    await expect(session.answer(call, answer)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect((await session.get()).session.waitingFor).toEqual([call])
  const ended = session.waitForEnd()
  expect(await session.answer(call, { error })).toEqual({ toolCallId: call.toolCallId, state: 'failed' })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(resultsIn(model.requests[1])).toEqual([{ id: call.toolCallId, content: error }])
  const part = (await session.get()).messages[1]?.parts.find(part => 'toolCallId' in part)
  expect(part).toMatchObject({ state: 'output-error', errorText: error })
  await expectValidSessions(sql)
})

test('002-5: an unanswered call fails at its deadline and the model is informed, so that it never hangs silently', async () => {
  const { sql, model, session, call, advanceTime } = await declared('I see.')
  expect(Date.parse(call.deadline) - Date.parse(call.since)).toBe(day * 1000)
  await advanceTime(day - 60)
  expect((await session.get()).session.waitingFor).toMatchObject([{ toolCallId: call.toolCallId }])
  const ended = session.waitForEnd()
  await advanceTime(60)
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired', via: 'deadline' })
  const [result] = resultsIn(model.requests[1])
  expect(result).toEqual({ id: call.toolCallId, content: expect.stringContaining('No answer by ') })
  await expectValidSessions(sql)
})

const answerWith = (answer: Parameters<TestSession['answer']>[1]) => (server: DeclaredSession) =>
  server.session.answer(server.call, answer)
type DeclaredSession = Awaited<ReturnType<typeof declared>>

test.each<[string, (server: DeclaredSession) => Promise<unknown>, string, string]>([
  ['success', answerWith({ output: { name: 'a.csv' } }), 'answered', '{"name":"a.csv"}'],
  ['failure', answerWith({ error: 'The disk is gone.' }), 'failed', 'The disk is gone.'],
  ['a decline', answerWith({ declined: true, reason: 'not now' }), 'declined', 'not now'],
  [
    'a cancellation',
    ({ ctx, session, call }) => cancelCall(ctx, { sessionId: session.id, toolCallId: call.toolCallId }),
    'cancelled',
    'Ann'
  ],
  ['abandoning it', ({ advanceTime }) => advanceTime(day), 'expired', '']
])(
  '002-9, 002-11: %s settles a client’s call and resumes with a definite result, once',
  async (_label, settle, state, expectedText) => {
    const server = await declared('I see.')
    const { sql, model, session, call } = server
    const ended = session.waitForEnd()
    await settle(server)
    expect(await session.waitForSettled(call)).toMatchObject({ state })
    expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(resultsIn(model.requests[1])).toEqual([
      { id: call.toolCallId, content: expect.stringContaining(expectedText) }
    ])
    expect(model.requests).toHaveLength(2)
    expect((await session.get()).session.waitingFor).toEqual([])
    await expect(session.answer(call, { output: { name: 'later.csv' } })).rejects.toMatchObject({
      code: 'ALREADY_SETTLED',
      extra: { winner: { state } }
    })
    await expectValidSessions(sql)
  }
)

test('002-9: settling one of two calls does not resume the run; settling the second one does, with both results', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyCalls(pickFileCall, question), replyText('Both.')] })
  const session = await openSession()
  await session.runTurn('go', { clientTools: [pickFile] })
  await session.answer(await session.waitForCall('pick-file'), { output: { name: 'a.csv' } })
  expect(await sql`select owner, has_work, turn_id from heads where session_key = ${session.key}`).toEqual([
    { owner: null, hasWork: 0, turnId: null }
  ])
  const ended = session.waitForEnd()
  await session.answer(await session.waitForCall('ask-question'), { output: { answer: 'tea' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(resultsIn(model.requests[1]).map(({ content }) => content)).toEqual([
    '{"name":"a.csv"}',
    '{"answer":"tea"}'
  ])
})

test('002-14: a parked call is identified by its own ID, so identical calls can be answered in any order', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({
    script: [replyCalls(pickFileCall, pickFileCall, pickFileCall), replyText('Three.')]
  })
  const session = await openSession()
  await session.runTurn('go', { clientTools: [pickFile] })
  const pendingCalls = (await session.get()).session.waitingFor
  expect(new Set(pendingCalls.map(call => call.toolCallId)).size).toBe(3)
  const ended = session.waitForEnd()
  for (const n of [2, 0, 1])
    await session.answer(pendingCalls[n] as Call, {
      output: { name: `${(pendingCalls[n] as Call).toolCallId}.csv` }
    })
  await ended
  expect(
    resultsIn(model.requests[1])
      .map(({ id, content }) => [id, content])
      .sort()
  ).toEqual(pendingCalls.map(call => [call.toolCallId, `{"name":"${call.toolCallId}.csv"}`]).sort())
  await expectValidSessions(sql)
})
