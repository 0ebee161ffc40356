import { expect, test } from 'vitest'
import type { Refusal } from '#lib/kernel/refusal.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const question = (text = 'Tea?', more: object = {}) => ({
  name: 'ask-question',
  input: { question: text, ...more }
})
const choice = (text: string) =>
  question(text, { options: [{ label: 'tea' }, { label: 'coffee' }], allowFreeform: false })
const words = (request: { body: { messages: unknown } } | undefined) => JSON.stringify(request?.body.messages)

test('eight tabs answer at once: one wins, and seven are told who did and what', async () => {
  const { sql, as, session: open } = await testWorld({ script: [calls(question()), says('Fine.')] })
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  const ended = session.ends()
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => session.answer(call, { output: { answer: `${i}` } }, as(`Tab ${i}`)))
  )
  const winners = results.filter(result => result.status === 'fulfilled')
  expect(winners.map(result => result.value)).toEqual([{ toolCallId: call.toolCallId, state: 'answered' }])
  const settled = await session.settles(call)
  const losers = results
    .filter(result => result.status === 'rejected')
    .map(result => result.reason as Refusal)
  expect(losers).toHaveLength(7)
  for (const { code, extra } of losers) {
    expect(code).toBe('ALREADY_SETTLED')
    expect(extra.winner).toEqual({ state: 'answered', answeredBy: settled.answeredBy, at: settled.settledAt })
  }
  expect(settled.output).toEqual({ answer: settled.answeredBy?.slice(4) })
  await ended
  await expectSoundSessions(sql)
})

test('the same answer again gets the same reply, however its JSON was written', async () => {
  const { session: open, as } = await testWorld({
    script: [calls(question('?', { inputType: 'multi-select' })), says('Fine.')]
  })
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  const accepted = await session.answer(call, { output: { answer: ['a'], more: { x: 1, y: 2 } } })
  expect(await session.answer(call, { output: { more: { y: 2, x: 1 }, answer: ['a'] } }, as('Bob'))).toEqual(
    accepted
  )
  await expect(session.answer(call, { output: { answer: ['b'] } })).rejects.toMatchObject({
    code: 'ALREADY_SETTLED',
    extra: { winner: { state: 'answered', answeredBy: 'Ann' } }
  })
})

test('two calls of one step are answered in the other order; the next step begins when both are in', async () => {
  const {
    sql,
    model,
    session: open
  } = await testWorld({ script: [calls(question('One?'), question('Two?')), says('Both.')] })
  const session = await open()
  await session.says('offer')
  const [one, two] = (await session.get()).session.waitingFor
  if (one === undefined || two === undefined) throw new Error('Two calls should be open.')
  await session.answer(two, { output: { answer: 'second' } })
  expect((await session.get()).session).toMatchObject({
    status: 'parked',
    waitingFor: [{ toolCallId: one.toolCallId }]
  })
  expect(model.requests).toHaveLength(1)
  const ended = session.ends()
  await session.answer(one, { output: { answer: 'first' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  const results = model.requests[1]?.body.messages
    .filter(message => message.role === 'tool')
    .map(message => message.content)
  expect(results).toEqual(['{"answer":"first"}', '{"answer":"second"}'])
  await expectSoundSessions(sql)
})

test('an answer of the wrong shape is refused by name and the call is still open; a fitting one is taken', async () => {
  const { session: open } = await testWorld({ script: [calls(choice('Which?')), says('Fine.')] })
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
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

test('002-10: what the schema does not name is dropped, at every depth, before it is stored, shown or told', async () => {
  const {
    sql,
    model,
    session: open
  } = await testWorld({ script: [calls({ name: 'client-info', input: {} }), says('Fine.')] })
  const session = await open()
  await session.says('where am I?')
  const call = await session.waitsFor('client-info')
  const ended = session.ends()
  const output = {
    timeZone: 'Asia/Tokyo',
    locale: 'ja',
    token: 'S3CRET',
    location: { latitude: 1, longitude: 2, token: 'S3CRET' }
  }
  await session.answer(call, { output })
  await ended
  const clean = { timeZone: 'Asia/Tokyo', locale: 'ja', location: { latitude: 1, longitude: 2 } }
  expect((await session.settles(call)).output).toEqual(clean)
  expect(words(model.requests[1])).not.toContain('S3CRET')
  for (const table of ['calls', 'events', 'messages', 'context', 'inbox']) {
    const rows = await sql`select * from ${sql(table)}`
    expect(JSON.stringify(rows), table).not.toContain('S3CRET')
  }
})

test('declined is a definite answer too, with its reason', async () => {
  const { model, session: open } = await testWorld({ script: [calls(question()), says('Fine.')] })
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  const ended = session.ends()
  expect(await session.answer(call, { declined: true, reason: 'not today' })).toMatchObject({
    state: 'declined'
  })
  await ended
  expect(words(model.requests[1])).toContain('not today')
})

test('an error from the client settles the call as failed', async () => {
  const { model, session: open } = await testWorld({
    script: [calls({ name: 'client-info', input: {} }), says('Fine.')]
  })
  const session = await open()
  await session.says('where am I?')
  const call = await session.waitsFor('client-info')
  const ended = session.ends()
  expect(await session.answer(call, { error: 'The browser said no.' })).toMatchObject({ state: 'failed' })
  await ended
  expect(words(model.requests[1])).toContain('The browser said no.')
})

test("another workspace's session, an unknown call and an unknown session are all not found", async () => {
  const { sql, as, session: open } = await testWorld({ script: [calls(question())] })
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  const answer = { output: { answer: 'x' } }
  await expect(session.answer(call, answer, as('Eve', 'other'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(session.answer({ toolCallId: 'call_forged' }, answer)).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test("a server tool's call is nobody's to answer", async () => {
  const { agent, session: open } = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: 'http://127.0.0.1:1/' } }), says('Fine.')]
  })
  await agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await open('test')
  await session.says('fetch')
  const event = await session.sees(event => event.type === 'call')
  const { toolCallId } = 'call' in event ? event.call : { toolCallId: '' }
  for (const answer of [
    { output: 'mine' },
    { error: 'mine' },
    { approved: true },
    { declined: true as const }
  ])
    await expect(session.answer({ toolCallId }, answer)).rejects.toMatchObject({ code: 'NOT_ANSWERABLE' })
})

test('a call of a deleted session is gone, also when the session lives again', async () => {
  const { ctx, session: open } = await testWorld({ script: [calls(question())] })
  const { deleteSession } = await import('#lib/sessions/delete-session.ts')
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  await deleteSession(ctx, { sessionId: session.id })
  await expect(session.answer(call, { output: { answer: 'x' } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await createSession(ctx, { sessionId: session.id, agentId: 'guide' })
  await expect(session.answer(call, { output: { answer: 'x' } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('002-5: an unknown tool, bad arguments and arguments that are not JSON are answers for the model, at once', async () => {
  const {
    sql,
    model,
    session: open
  } = await testWorld({
    script: [
      calls(
        { name: 'nothing-like-it', input: {} },
        { name: 'nul\0 and half a pair \ud800', input: {} },
        { name: 'ask-question', input: { question: '' } },
        { name: 'ask-question', input: '{"question": ' }
      ),
      says('I see.')
    ]
  })
  const session = await open()
  expect(await session.says('go')).toMatchObject({ outcome: 'done', status: 'idle' })
  const results = model.requests[1]?.body.messages.filter(message => message.role === 'tool')
  expect(results).toHaveLength(4)
  expect(words(model.requests[1])).toContain('nothing-like-it')
  const parts = (await session.get()).messages[1]?.parts.filter(part => 'toolCallId' in part)
  expect(parts?.map(part => 'state' in part && part.state)).toEqual([
    'output-error',
    'output-error',
    'output-error',
    'output-error'
  ])
  await expectSoundSessions(sql)
})

test('a provider that reuses its call IDs does not mix up calls: each has an ID of ours', async () => {
  const ask = (text: string) => calls({ ...question(text), id: 'call_0' })
  const { sql, session: open } = await testWorld({ script: [ask('One?'), ask('Two?'), says('Fine.')] })
  const session = await open()
  await session.says('offer')
  const one = await session.waitsFor('ask-question')
  const parked = session.ends()
  await session.answer(one, { output: { answer: 'first' } })
  await parked
  const two = await session.waitsFor('ask-question')
  expect(two.toolCallId).not.toBe(one.toolCallId)
  const ended = session.ends()
  await session.answer(two, { output: { answer: 'second' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  const outputs = (await session.get()).messages[1]?.parts.flatMap(part =>
    'output' in part ? [part.output] : []
  )
  expect(outputs).toEqual([{ answer: 'first' }, { answer: 'second' }])
  await expectSoundSessions(sql)
})

test('a late answer is a message of its own that names the call; the call shows settled at its own place', async () => {
  const {
    sql,
    model,
    session: open
  } = await testWorld({ script: [calls(question()), says('Hello.'), says('So tea.')] })
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  await session.says('hello')
  const ended = session.ends()
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
  await expectSoundSessions(sql)
})
