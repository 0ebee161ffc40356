import type { ApiError } from '@waystation/base/api-error.ts'
import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const question = (text = 'Tea?', options: object = {}) => ({
  name: 'ask-question',
  input: { question: text, ...options }
})
const choiceQuestion = (text: string) =>
  question(text, { options: [{ label: 'tea' }, { label: 'coffee' }], allowFreeform: false })
const promptText = (request: { body: { messages: unknown } } | undefined) =>
  JSON.stringify(request?.body.messages)

test('of eight tabs that answer at once, one wins and seven receive the winner and its answer', async () => {
  const {
    sql,
    actAs,
    startSession: openSession
  } = await startTestServer({ script: [replyCalls(question()), replyText('Fine.')] })
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  const ended = session.waitForEnd()
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      session.answer(call, { output: { answer: `${i}` } }, actAs(`Tab ${i}`))
    )
  )
  const winners = results.filter(result => result.status === 'fulfilled')
  expect(winners.map(result => result.value)).toEqual([{ toolCallId: call.toolCallId, state: 'answered' }])
  const settledCall = await session.waitForSettled(call)
  const losers = results
    .filter(result => result.status === 'rejected')
    .map(result => result.reason as ApiError)
  expect(losers).toHaveLength(7)
  for (const { code, extra } of losers) {
    expect(code).toBe('ALREADY_SETTLED')
    expect(extra.winner).toEqual({
      state: 'answered',
      answeredBy: settledCall.answeredBy,
      at: settledCall.settledAt
    })
  }
  expect(settledCall.output).toEqual({ answer: settledCall.answeredBy?.slice(4) })
  await ended
  await expectValidSessions(sql)
})

test('a repeated answer gets the same response, even if its JSON is written differently', async () => {
  const { startSession: openSession, actAs } = await startTestServer({
    script: [replyCalls(question('?', { inputType: 'multi-select' })), replyText('Fine.')]
  })
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  const accepted = await session.answer(call, { output: { answer: ['a'], more: { x: 1, y: 2 } } })
  expect(
    await session.answer(call, { output: { more: { y: 2, x: 1 }, answer: ['a'] } }, actAs('Bob'))
  ).toEqual(accepted)
  await expect(session.answer(call, { output: { answer: ['b'] } })).rejects.toMatchObject({
    code: 'ALREADY_SETTLED',
    extra: { winner: { state: 'answered', answeredBy: 'Ann' } }
  })
})

test('two calls of one step can be answered in any order; the next step starts when both are answered', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyCalls(question('One?'), question('Two?')), replyText('Both.')] })
  const session = await openSession()
  await session.runTurn('offer')
  const [first, second] = (await session.get()).session.waitingFor
  if (first === undefined || second === undefined) throw new Error('Two calls should be open.')
  await session.answer(second, { output: { answer: 'second' } })
  expect((await session.get()).session).toMatchObject({
    status: 'parked',
    waitingFor: [{ toolCallId: first.toolCallId }]
  })
  expect(model.requests).toHaveLength(1)
  const ended = session.waitForEnd()
  await session.answer(first, { output: { answer: 'first' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  const results = model.requests[1]?.body.messages
    .filter(message => message.role === 'tool')
    .map(message => message.content)
  expect(results).toEqual(['{"answer":"first"}', '{"answer":"second"}'])
  await expectValidSessions(sql)
})

test('an answer of the wrong shape is refused with the name of the field, and the call stays open for a valid one', async () => {
  const { startSession: openSession } = await startTestServer({
    script: [replyCalls(choiceQuestion('Which?')), replyText('Fine.')]
  })
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  for (const output of [{ answer: 'water' }, { answer: ['tea'] }, {}, null, 'tea', { answer: '' }]) {
    await expect(session.answer(call, { output }), JSON.stringify(output)).rejects.toMatchObject({
      code: 'INVALID_INPUT'
    })
  }
  await expect(session.answer(call, { output: { answer: 'water' } })).rejects.toMatchObject({
    extra: { fields: { answer: expect.any(String) } }
  })
  await expect(session.answer(call, { approved: true })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect((await session.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, state: 'open' }
  ])
  expect(await session.answer(call, { output: { answer: 'tea' } })).toMatchObject({ state: 'answered' })
})

test('002-10: fields that the schema does not name are dropped at every depth before they are stored, shown or sent to the model', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyCalls({ name: 'client-info', input: {} }), replyText('Fine.')] })
  const session = await openSession()
  await session.runTurn('where am I?')
  const call = await session.waitForCall('client-info')
  const ended = session.waitForEnd()
  const output = {
    timeZone: 'Asia/Tokyo',
    locale: 'ja',
    token: 'S3CRET',
    location: { latitude: 1, longitude: 2, token: 'S3CRET' }
  }
  await session.answer(call, { output })
  await ended
  const validAnswer = { timeZone: 'Asia/Tokyo', locale: 'ja', location: { latitude: 1, longitude: 2 } }
  expect((await session.waitForSettled(call)).output).toEqual(validAnswer)
  expect(promptText(model.requests[1])).not.toContain('S3CRET')
  for (const table of ['calls', 'events', 'messages', 'context', 'inbox']) {
    const rows = await sql`select * from ${sql(table)}`
    expect(JSON.stringify(rows), table).not.toContain('S3CRET')
  }
})

test('declining is a definite answer and carries its reason', async () => {
  const { model, startSession: openSession } = await startTestServer({
    script: [replyCalls(question()), replyText('Fine.')]
  })
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  const ended = session.waitForEnd()
  expect(await session.answer(call, { declined: true, reason: 'not today' })).toMatchObject({
    state: 'declined'
  })
  await ended
  expect(promptText(model.requests[1])).toContain('not today')
})

test('an error from the client settles the call as failed', async () => {
  const { model, startSession: openSession } = await startTestServer({
    script: [replyCalls({ name: 'client-info', input: {} }), replyText('Fine.')]
  })
  const session = await openSession()
  await session.runTurn('where am I?')
  const call = await session.waitForCall('client-info')
  const ended = session.waitForEnd()
  expect(await session.answer(call, { error: 'The browser said no.' })).toMatchObject({ state: 'failed' })
  await ended
  expect(promptText(model.requests[1])).toContain('The browser said no.')
})

test('another workspace’s session, an unknown call and an unknown session all return not found', async () => {
  const {
    sql,
    actAs,
    startSession: openSession
  } = await startTestServer({ script: [replyCalls(question())] })
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  const answer = { output: { answer: 'x' } }
  await expect(session.answer(call, answer, actAs('Eve', 'other'))).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
  await expect(session.answer({ toolCallId: 'call_forged' }, answer)).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('no client can answer the call of a server tool', async () => {
  const { saveAgent, startSession: openSession } = await startTestServer({
    script: [replyCalls({ name: 'web-fetch', input: { url: 'http://127.0.0.1:1/' } }), replyText('Fine.')]
  })
  await saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await openSession('test')
  await session.runTurn('fetch')
  const event = await session.waitForEvent(event => event.type === 'call')
  const { toolCallId } = 'call' in event ? event.call : { toolCallId: '' }
  for (const answer of [
    { output: 'mine' },
    { error: 'mine' },
    { approved: true },
    { declined: true as const }
  ])
    await expect(session.answer({ toolCallId }, answer)).rejects.toMatchObject({ code: 'NOT_ANSWERABLE' })
})

test('a call of a deleted session is not found, even if the session is created again', async () => {
  const { ctx, startSession: openSession } = await startTestServer({ script: [replyCalls(question())] })
  const { deleteSession } = await import('#lib/sessions/delete-session.ts')
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  await deleteSession(ctx, { sessionId: session.id })
  await expect(session.answer(call, { output: { answer: 'x' } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await createSession(ctx, { sessionId: session.id, agentId: 'guide' })
  await expect(session.answer(call, { output: { answer: 'x' } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('002-5: an unknown tool, invalid arguments and arguments that are not JSON give the model an error at once', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({
    script: [
      replyCalls(
        { name: 'nothing-like-it', input: {} },
        { name: 'nul\0 and half a pair \ud800', input: {} },
        { name: 'ask-question', input: { question: '' } },
        { name: 'ask-question', input: '{"question": ' }
      ),
      replyText('I see.')
    ]
  })
  const session = await openSession()
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done', status: 'idle' })
  const results = model.requests[1]?.body.messages.filter(message => message.role === 'tool')
  expect(results).toHaveLength(4)
  expect(promptText(model.requests[1])).toContain('nothing-like-it')
  const parts = (await session.get()).messages[1]?.parts.filter(part => 'toolCallId' in part)
  expect(parts?.map(part => 'state' in part && part.state)).toEqual([
    'output-error',
    'output-error',
    'output-error',
    'output-error'
  ])
  await expectValidSessions(sql)
})

test('a provider that reuses call IDs does not mix up calls, because each call gets an ID from the server', async () => {
  const callWithId = (text: string) => replyCalls({ ...question(text), id: 'call_0' })
  const { sql, startSession: openSession } = await startTestServer({
    script: [callWithId('One?'), callWithId('Two?'), replyText('Fine.')]
  })
  const session = await openSession()
  await session.runTurn('offer')
  const firstCall = await session.waitForCall('ask-question')
  const parked = session.waitForEnd()
  await session.answer(firstCall, { output: { answer: 'first' } })
  await parked
  const secondCall = await session.waitForCall('ask-question')
  expect(secondCall.toolCallId).not.toBe(firstCall.toolCallId)
  const ended = session.waitForEnd()
  await session.answer(secondCall, { output: { answer: 'second' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  const outputs = (await session.get()).messages[1]?.parts.flatMap(part =>
    'output' in part ? [part.output] : []
  )
  expect(outputs).toEqual([{ answer: 'first' }, { answer: 'second' }])
  await expectValidSessions(sql)
})

test('a late answer is its own message that names the call, and the call shows as settled at its original place', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyCalls(question()), replyText('Hello.'), replyText('So tea.')] })
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  await session.runTurn('hello')
  const ended = session.waitForEnd()
  await session.answer(call, { output: { answer: 'tea' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  const last = model.requests[2]?.body.messages.at(-1)
  expect(JSON.stringify(last)).toMatch(new RegExp(`call_answer.*ask-question.*${call.toolCallId}.*tea`))
  const { messages } = await session.get()
  expect(messages.map(message => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'assistant'
  ])
  expect(messages[1]?.parts).toContainEqual(
    expect.objectContaining({
      toolCallId: call.toolCallId,
      state: 'output-available',
      output: { answer: 'tea' }
    })
  )
  for (const [k, request] of model.requests.slice(1).entries())
    expect(request.body.messages.slice(0, model.requests[k]?.body.messages.length)).toEqual(
      model.requests[k]?.body.messages
    )
  await expectValidSessions(sql)
})
