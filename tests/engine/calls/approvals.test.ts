import { expect, onTestFinished, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const words = (request: { body: { messages: unknown } } | undefined) => JSON.stringify(request?.body.messages)

/** An agent whose fetches a person approves, and a site for them. */
async function approving() {
  const outside = await startOtherSystem()
  const world = await testWorld({
    script: [
      calls({ name: 'web-fetch', input: { url: `${outside.url}/asked` } }),
      says('Done.'),
      says('Anything else?')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const session = await world.session('test')
  await session.says('fetch it')
  return { ...world, outside, session, call: await session.waitsFor('web-fetch') }
}

test('nothing runs before the approval; then it runs once, and its result is at its place', async () => {
  const { sql, outside, session, call, model } = await approving()
  expect(call).toMatchObject({ kind: 'approval', where: 'server', state: 'open' })
  expect(outside.requests).toHaveLength(0)
  const ended = session.ends()
  expect(await session.answer(call, { approved: true })).toEqual({
    toolCallId: call.toolCallId,
    state: 'approved'
  })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(outside.requests).toHaveLength(1)
  expect(words(model.requests[1])).toContain('ok')
  expect(await session.answer(call, { approved: true })).toEqual({
    toolCallId: call.toolCallId,
    state: 'approved'
  })
  await expect(session.answer(call, { approved: false })).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
  await expectSoundSessions(sql)
})

test('an answer reaches the model in three transactions: it settles, the call is claimed, its result begins a step', async () => {
  const { ctx, session, call, model } = await approving()
  const begun: string[] = []
  const { options } = ctx.sql as Pool
  // The driver's own hook: it is told each statement that is sent.
  Object.assign(options, {
    debug: (_: number, statement: string) => {
      if (/^begin\b/.test(statement) && model.requests.length < 2) begun.push(statement)
    }
  })
  onTestFinished(() => void Object.assign(options, { debug: false }))
  const ended = session.ends()
  await session.answer(call, { approved: true })
  await ended
  expect(model.requests).toHaveLength(2)
  expect(begun).toHaveLength(3)
})

test('edited arguments are what runs; both versions are kept and the model is told', async () => {
  const { outside, session, call, model } = await approving()
  await expect(session.answer(call, { approved: true, input: { url: 7 } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    extra: { fields: { url: expect.any(String) } }
  })
  await expect(session.answer(call, { approved: true, input: 'x' })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  const ended = session.ends()
  const edited = { url: `${outside.url}/edited` }
  await session.answer(call, { approved: true, input: { ...edited, extra: 'dropped' } })
  await ended
  expect(outside.requests.map(request => request.path)).toEqual(['/edited'])
  const [kept] = (await session.get()).calls
  expect(kept).toMatchObject({
    input: { url: `${outside.url}/asked` },
    editedInput: edited,
    state: 'approved'
  })
  expect(kept?.editedInput).toEqual(edited)
  expect(words(model.requests[1])).toMatch(/edited the arguments.*\/edited/)
})

test('the same arguments sent back are no edit', async () => {
  const { outside, session, call } = await approving()
  const ended = session.ends()
  await session.answer(call, { approved: true, input: { url: `${outside.url}/asked` } })
  await ended
  expect((await session.get()).calls[0]).not.toHaveProperty('editedInput')
})

test('denied with a reason: nothing runs, the model is told why, and the page shows it', async () => {
  const { sql, outside, session, call, model } = await approving()
  const ended = session.ends()
  expect(await session.answer(call, { approved: false, reason: 'not that site' })).toMatchObject({
    state: 'denied'
  })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(outside.requests).toHaveLength(0)
  expect(words(model.requests[1])).toContain('not that site')
  const part = (await session.get()).messages[1]?.parts.find(part => 'toolCallId' in part)
  expect(part).toMatchObject({
    state: 'output-denied',
    approval: { approved: false, reason: 'not that site' }
  })
  await expectSoundSessions(sql)
})

test('an approval after the conversation went on still runs, and its result comes as a late answer', async () => {
  const { sql, outside, session, call, model } = await approving()
  await session.says('meanwhile, hello')
  expect(outside.requests).toHaveLength(0)
  const ended = session.ends()
  await session.answer(call, { approved: true })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(outside.requests).toHaveLength(1)
  expect(words(model.requests[2])).toMatch(/call_answer.*web-fetch/)
  await expectSoundSessions(sql)
})

test('002-2: an approval of what the browser does passes on to the browser, with that kind’s deadline', async () => {
  const {
    sql,
    agent,
    session: open,
    model
  } = await testWorld({ script: [calls({ name: 'client-info', input: {} }), says('Fine.')] })
  await agent({ chat: { tools: [{ name: 'client-info', approval: 'ask' }] } })
  const session = await open('test')
  await session.says('where am I?')
  const asked = await session.waitsFor('client-info')
  expect(asked).toMatchObject({ kind: 'approval', where: 'browser' })
  expect(await session.answer(asked, { approved: true })).toMatchObject({ state: 'approved' })
  const [passed] = (await session.get()).session.waitingFor
  expect(passed).toMatchObject({
    toolCallId: asked.toolCallId,
    kind: 'client',
    state: 'open',
    onDeadline: 'error'
  })
  const ended = session.ends()
  await session.answer(asked, { output: { timeZone: 'UTC', locale: 'en' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(words(model.requests[1])).toContain('UTC')
  await expectSoundSessions(sql)
})

test('an approval that was passed on is over: the same one again is fine, another one has lost', async () => {
  const {
    agent,
    session: open,
    as
  } = await testWorld({ script: [calls({ name: 'client-info', input: {} }), says('Fine.')] })
  await agent({ chat: { tools: [{ name: 'client-info', approval: 'ask' }] } })
  const session = await open('test')
  await session.says('where am I?')
  const call = await session.waitsFor('client-info')
  const accepted = await session.answer(call, { approved: true })
  expect(await session.answer(call, { approved: true })).toEqual(accepted)
  await expect(session.answer(call, { approved: false }, as('Bob'))).rejects.toMatchObject({
    code: 'ALREADY_SETTLED',
    extra: { winner: { state: 'approved', answeredBy: 'Ann' } }
  })
})

test('three approvals at once join the running tools; each runs once', async () => {
  const outside = await startOtherSystem()
  const urls = ['a', 'b', 'c'].map(path => `${outside.url}/${path}`)
  const {
    sql,
    agent,
    session: open
  } = await testWorld({
    script: [calls(...urls.map(url => ({ name: 'web-fetch', input: { url } }))), says('Done.')],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await agent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const session = await open('test')
  await session.says('fetch all')
  const open3 = (await session.get()).session.waitingFor
  await Promise.all(open3.map(call => session.answer(call, { approved: true })))
  await session.sees(event => event.type === 'status' && event.outcome === 'done')
  expect(outside.requests.map(request => request.path).sort()).toEqual(['/a', '/b', '/c'])
  await expectSoundSessions(sql)
})

test('an approval runs its own call and no other one that waits beside it', async () => {
  const outside = await startOtherSystem()
  const urls = ['a', 'b'].map(path => `${outside.url}/${path}`)
  const { agent, session: open } = await testWorld({
    script: [calls(...urls.map(url => ({ name: 'web-fetch', input: { url } })))],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await agent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const session = await open('test')
  await session.says('fetch both')
  const [first, second] = (await session.get()).session.waitingFor
  const parked = session.ends()
  await session.answer(first ?? { toolCallId: '' }, { approved: true })
  expect(await parked).toMatchObject({ outcome: 'parked', status: 'parked' })
  expect(outside.requests).toHaveLength(1)
  expect((await session.get()).session.waitingFor).toEqual([second])
})
