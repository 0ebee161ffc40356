import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const promptText = (request: { body: { messages: unknown } } | undefined) =>
  JSON.stringify(request?.body.messages)

/** Returns an agent whose fetches need approval, and a site for it to fetch. */
async function agentWithApprovals() {
  const externalSystem = await startExternalSystem()
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'web-fetch', input: { url: `${externalSystem.url}/asked` } }),
      replyText('Done.'),
      replyText('Anything else?')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const session = await server.startSession('test')
  await session.runTurn('fetch it')
  return { ...server, externalSystem, session, call: await session.waitForCall('web-fetch') }
}

test('nothing runs before the approval; then the call runs once and its result appears at its place', async () => {
  const { sql, externalSystem, session, call, model } = await agentWithApprovals()
  expect(call).toMatchObject({ kind: 'approval', where: 'server', state: 'open' })
  expect(externalSystem.requests).toHaveLength(0)
  const ended = session.waitForEnd()
  expect(await session.answer(call, { approved: true })).toEqual({
    toolCallId: call.toolCallId,
    state: 'approved'
  })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(externalSystem.requests).toHaveLength(1)
  expect(promptText(model.requests[1])).toContain('ok')
  expect(await session.answer(call, { approved: true })).toEqual({
    toolCallId: call.toolCallId,
    state: 'approved'
  })
  await expect(session.answer(call, { approved: false })).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
  await expectValidSessions(sql)
})

test('an answer reaches the model in three transactions: settle the call, claim it, and start a step with its result', async () => {
  const { ctx, session, call, model } = await agentWithApprovals()
  const statements: string[] = []
  const { options } = ctx.sql as Pool
  // The driver calls this hook with each statement that it sends.
  Object.assign(options, {
    debug: (_: number, statement: string) => {
      if (/^begin\b/.test(statement) && model.requests.length < 2) statements.push(statement)
    }
  })
  onTestFinished(() => void Object.assign(options, { debug: false }))
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true })
  await ended
  expect(model.requests).toHaveLength(2)
  expect(statements).toHaveLength(3)
})

test('edited arguments are the ones that run; both versions are stored, and the model learns of the edit', async () => {
  const { externalSystem, session, call, model } = await agentWithApprovals()
  await expect(session.answer(call, { approved: true, input: { url: 7 } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    extra: { fields: { url: expect.any(String) } }
  })
  await expect(session.answer(call, { approved: true, input: 'x' })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  const ended = session.waitForEnd()
  const editedInput = { url: `${externalSystem.url}/edited` }
  await session.answer(call, { approved: true, input: { ...editedInput, extra: 'dropped' } })
  await ended
  expect(externalSystem.requests.map(request => request.path)).toEqual(['/edited'])
  const [storedCall] = (await session.get()).calls
  expect(storedCall).toMatchObject({
    input: { url: `${externalSystem.url}/asked` },
    editedInput: editedInput,
    state: 'approved'
  })
  expect(storedCall?.editedInput).toEqual(editedInput)
  expect(promptText(model.requests[1])).toMatch(/edited the arguments.*\/edited/)
})

test('approving with the same arguments is not an edit', async () => {
  const { externalSystem, session, call } = await agentWithApprovals()
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true, input: { url: `${externalSystem.url}/asked` } })
  await ended
  expect((await session.get()).calls[0]).not.toHaveProperty('editedInput')
})

test('a denied call does not run, the model receives the reason, and the page shows it', async () => {
  const { sql, externalSystem, session, call, model } = await agentWithApprovals()
  const ended = session.waitForEnd()
  expect(await session.answer(call, { approved: false, reason: 'not that site' })).toMatchObject({
    state: 'denied'
  })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(externalSystem.requests).toHaveLength(0)
  expect(promptText(model.requests[1])).toContain('not that site')
  const part = (await session.get()).messages[1]?.parts.find(part => 'toolCallId' in part)
  expect(part).toMatchObject({
    state: 'output-denied',
    approval: { approved: false, reason: 'not that site' }
  })
  await expectValidSessions(sql)
})

test('an approval after the conversation continued still runs the call, and the result arrives as a late answer', async () => {
  const { sql, externalSystem, session, call, model } = await agentWithApprovals()
  await session.runTurn('meanwhile, hello')
  expect(externalSystem.requests).toHaveLength(0)
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(externalSystem.requests).toHaveLength(1)
  expect(promptText(model.requests[2])).toMatch(/call_answer.*web-fetch/)
  await expectValidSessions(sql)
})

test('002-2: approving a browser tool passes the call on to the browser, with the deadline of that kind', async () => {
  const {
    sql,
    saveAgent,
    startSession: openSession,
    model
  } = await startTestServer({ script: [replyCalls({ name: 'client-info', input: {} }), replyText('Fine.')] })
  await saveAgent({ chat: { tools: [{ name: 'client-info', approval: 'ask' }] } })
  const session = await openSession('test')
  await session.runTurn('where am I?')
  const questionCall = await session.waitForCall('client-info')
  expect(questionCall).toMatchObject({ kind: 'approval', where: 'browser' })
  expect(await session.answer(questionCall, { approved: true })).toMatchObject({ state: 'approved' })
  const [passedOn] = (await session.get()).session.waitingFor
  expect(passedOn).toMatchObject({
    toolCallId: questionCall.toolCallId,
    kind: 'client',
    state: 'open',
    onDeadline: 'error'
  })
  const hoursOf = (call?: Call) =>
    (Date.parse(call?.deadline ?? '') - Date.parse(call?.since ?? '')) / 3_600_000
  expect([hoursOf(questionCall), hoursOf(passedOn)]).toEqual([7 * 24, 24])
  const ended = session.waitForEnd()
  await session.answer(questionCall, { output: { timeZone: 'UTC', locale: 'en' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(promptText(model.requests[1])).toContain('UTC')
  await expectValidSessions(sql)
})

test('an approval that was passed on is settled: repeating it is fine, and a different answer has lost', async () => {
  const {
    saveAgent,
    startSession: openSession,
    actAs
  } = await startTestServer({ script: [replyCalls({ name: 'client-info', input: {} }), replyText('Fine.')] })
  await saveAgent({ chat: { tools: [{ name: 'client-info', approval: 'ask' }] } })
  const session = await openSession('test')
  await session.runTurn('where am I?')
  const call = await session.waitForCall('client-info')
  const accepted = await session.answer(call, { approved: true })
  expect(await session.answer(call, { approved: true })).toEqual(accepted)
  await expect(session.answer(call, { approved: false }, actAs('Bob'))).rejects.toMatchObject({
    code: 'ALREADY_SETTLED',
    extra: { winner: { state: 'approved', answeredBy: 'Ann' } }
  })
})

test('three approvals at once join the running tools, and each call runs once', async () => {
  const externalServer = await startExternalSystem()
  const urls = ['a', 'b', 'c'].map(path => `${externalServer.url}/${path}`)
  const {
    sql,
    saveAgent,
    startSession: openSession
  } = await startTestServer({
    script: [replyCalls(...urls.map(url => ({ name: 'web-fetch', input: { url } }))), replyText('Done.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const session = await openSession('test')
  await session.runTurn('fetch all')
  const pendingCalls = (await session.get()).session.waitingFor
  await Promise.all(pendingCalls.map(call => session.answer(call, { approved: true })))
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  expect(externalServer.requests.map(request => request.path).sort()).toEqual(['/a', '/b', '/c'])
  await expectValidSessions(sql)
})

test('an approval runs only its own call, not another pending one', async () => {
  const externalServer = await startExternalSystem()
  const urls = ['a', 'b'].map(path => `${externalServer.url}/${path}`)
  const { saveAgent, startSession: openSession } = await startTestServer({
    script: [replyCalls(...urls.map(url => ({ name: 'web-fetch', input: { url } })))],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const session = await openSession('test')
  await session.runTurn('fetch both')
  const [first, second] = (await session.get()).session.waitingFor
  const parked = session.waitForEnd()
  await session.answer(first ?? { toolCallId: '' }, { approved: true })
  expect(await parked).toMatchObject({ outcome: 'parked', status: 'parked' })
  expect(externalServer.requests).toHaveLength(1)
  expect((await session.get()).session.waitingFor).toEqual([second])
})
