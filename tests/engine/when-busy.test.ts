import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { removeMessage } from '#lib/sessions/remove-message.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }
/** Returns the content of each message in a prompt. */
const prompt = (request: ModelRequest | undefined) =>
  (request?.body.messages ?? []).map(({ content }) => JSON.stringify(content))

/** Returns the role and text of each message, as users see them. */
const transcript = async (session: TestSession) =>
  (await session.get()).messages.map(
    ({ role, parts }) => `${role}: ${parts.map(part => ('text' in part ? part.text : '')).join('')}`
  )

test('reject: a busy session rejects a message and stores nothing of it', async () => {
  const { model, startSession: openSession } = await startTestServer({ script: [replyThenHold('One')] })
  const session = await openSession()
  await session.send('first')
  await session.waitForText('One')
  const before = await session.log()
  await expect(session.send('second')).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect(await session.log()).toEqual(before)
  model.release()
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  expect(await transcript(session)).toEqual(['user: first', 'assistant: One'])
})

test('queue: each message gets its own turn later, in order, and moves to its place when that turn starts', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('A'), replyText('B'), replyText('C'), replyText('D')] })
  const session = await openSession()
  await session.send('a')
  await session.waitForText('A')
  for (const text of ['b', 'c', 'd'])
    expect(await session.send(text, { whenBusy: 'queue' })).toMatchObject({ status: 'queued' })
  const queued = (await session.get()).messages.slice(-3)
  expect(queued.map(message => message.metadata?.queued)).toEqual(['queue', 'queue', 'queue'])
  model.release()
  await session.waitForText('D')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await transcript(session)).toEqual(
    ['a', 'b', 'c', 'd'].flatMap(x => [`user: ${x}`, `assistant: ${x.toUpperCase()}`])
  )
  expect(endsOf(await session.log()).map(end => end.outcome)).toEqual(['done', 'done', 'done', 'done'])
  expect((await session.get()).messages.some(message => message.metadata?.queued)).toBe(false)
  await expectValidSessions(sql)
})

test('a queued message can be deleted until the agent receives it', async () => {
  const {
    ctx,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('A'), replyText('C')] })
  const session = await openSession()
  const first = await session.send('a')
  await session.waitForText('A')
  const b = await session.send('b', { whenBusy: 'queue' })
  const c = await session.send('c', { whenBusy: 'queue' })
  expect(await removeMessage(ctx, { sessionId: session.id, itemId: b.itemId })).toEqual({ itemId: b.itemId })
  await expect(removeMessage(ctx, { sessionId: session.id, itemId: b.itemId })).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
  await expect(removeMessage(ctx, { sessionId: session.id, itemId: first.itemId })).rejects.toMatchObject({
    code: 'CONFLICT'
  })
  model.release()
  await session.waitForText('C')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await expect(removeMessage(ctx, { sessionId: session.id, itemId: c.itemId })).rejects.toMatchObject({
    code: 'CONFLICT'
  })
  expect(await transcript(session)).toEqual(['user: a', 'assistant: A', 'user: c', 'assistant: C'])
  expect(model.requests).toHaveLength(2)
})

test('steer: the message is in the prompt of the next step of the same turn', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({
    script: [
      { ...replyCalls({ name: 'nothing', input: {} }), text: 'A', after: 'hold' } as Reply,
      replyText('B')
    ]
  })
  const session = await openSession()
  await session.send('a')
  await session.waitForText('A')
  expect(await session.send('rather this', { whenBusy: 'steer' })).toMatchObject({ status: 'steering' })
  const ended = session.waitForEnd()
  model.release()
  await ended
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(endsOf(await session.log())).toHaveLength(1)
  expect(prompt(model.requests[1]).at(-1)).toContain('rather this')
  expect(await transcript(session)).toEqual(['user: a', 'assistant: A', 'user: rather this', 'assistant: B'])
  await expectValidSessions(sql)
})

test('steer: a message gets its own turn if the running turn has no further step', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('A'), replyText('B')] })
  const session = await openSession()
  await session.send('a')
  await session.waitForText('A')
  await session.send('b', { whenBusy: 'steer' })
  model.release()
  await session.waitForText('B')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await transcript(session)).toEqual(['user: a', 'assistant: A', 'user: b', 'assistant: B'])
  await expectValidSessions(sql)
})

test('interrupt: the turn ends as interrupted, its partial text stays, and the message is answered before the queue', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('A half'), replyText('C'), replyText('B')] })
  const session = await openSession()
  await session.send('a')
  await session.waitForText('half')
  await session.send('b', { whenBusy: 'queue' })
  await session.send('c', { whenBusy: 'interrupt' })
  await session.waitForText('B')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(endsOf(await session.log()).map(end => end.outcome)).toEqual(['interrupted', 'done', 'done'])
  expect(await transcript(session)).toEqual([
    'user: a',
    'assistant: A half',
    'user: c',
    'assistant: C',
    'user: b',
    'assistant: B'
  ])
  expect(prompt(model.requests[1]).join()).toContain('A half')
  await expectValidSessions(sql)
})

test('an interrupt is over once it is answered: a turn that is stopped afterwards ends as cancelled', async () => {
  const { model, startSession: openSession } = await startTestServer({
    script: [replyThenHold('A'), replyText('B'), replyThenHold('C')]
  })
  const session = await openSession()
  await session.send('a')
  await session.waitForText('A')
  await session.send('b', { whenBusy: 'interrupt' })
  await session.waitForText('B')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await session.send('c')
  await session.waitForText('C')
  await session.cancel()
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'cancelled' })
  model.release()
})

test('no mode changes an open call', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({
    script: (_request, index) =>
      index === 0 ? replyCalls(question) : index === 1 ? replyThenHold('Well') : replyText(`Answer ${index}`)
  })
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  await session.send('go on')
  await session.waitForText('Well')
  await expect(session.send('r')).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  await session.send('q', { whenBusy: 'queue' })
  await session.send('s', { whenBusy: 'steer' })
  await session.send('i', { whenBusy: 'interrupt' })
  await expect.poll(async () => (await session.get()).session.status).toBe('parked')
  expect((await session.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, deadline: call.deadline, since: call.since }
  ])
  model.release()
  await expectValidSessions(sql)
})

test('a parked session is not busy: a message starts a turn at once', async () => {
  const { startSession: openSession } = await startTestServer({
    script: [replyCalls(question), replyText('Hello.')]
  })
  const session = await openSession()
  expect(await session.runTurn('offer')).toMatchObject({ status: 'parked' })
  expect(await session.send('hello')).toMatchObject({ status: 'started' })
})

test('the same key returns the same receipt, even while the session is busy and later; with another body it is refused', async () => {
  const { model, startSession: openSession } = await startTestServer({ script: [replyThenHold('One')] })
  const session = await openSession()
  const receipt = await session.send('first', { key: 'k' })
  await session.waitForText('One')
  expect(await session.send('first', { key: 'k' })).toEqual(receipt)
  await expect(session.send('other', { key: 'k' })).rejects.toMatchObject({ code: 'KEY_REUSED' })
  model.release()
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  expect(await session.send('first', { key: 'k' })).toEqual(receipt)
  expect(await transcript(session)).toEqual(['user: first', 'assistant: One'])
  expect(model.requests).toHaveLength(1)
})

test('twenty simultaneous copies of a message are stored as one', async () => {
  const { model, startSession: openSession } = await startTestServer({ script: [replyText('One')] })
  const session = await openSession()
  const receipts = await Promise.all(Array.from({ length: 20 }, () => session.send('first', { key: 'twin' })))
  expect(new Set(receipts.map(({ itemId }) => itemId)).size).toBe(1)
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  expect(await transcript(session)).toEqual(['user: first', 'assistant: One'])
  expect(model.requests).toHaveLength(1)
})

test('a key is valid for one session and one generation of it', async () => {
  const {
    ctx,
    startSession: openSession,
    reopenSession
  } = await startTestServer({ script: (_request, index) => replyText(`${index}`) })
  const original = await openSession()
  const other = await openSession()
  await original.runTurn('hello', { key: 'k' })
  expect(await other.runTurn('something else', { key: 'k' })).toMatchObject({ outcome: 'done' })
  await deleteSession(ctx, { sessionId: original.id })
  await createSession(ctx, { sessionId: original.id, agentId: 'guide' })
  const reopened = await reopenSession(original.id)
  expect(await reopened.runTurn('another body', { key: 'k' })).toMatchObject({ outcome: 'done' })
})

test('a message that steers into a cancelled turn stays in the conversation and is no longer queued', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('A'), replyText('C')] })
  const session = await openSession()
  await session.send('a')
  await session.waitForText('A')
  await session.send('b', { whenBusy: 'steer' })
  const ended = session.waitForEnd()
  await session.cancel()
  await ended
  expect((await session.get()).messages.some(message => message.metadata?.queued)).toBe(false)
  await session.runTurn('c')
  expect(prompt(model.requests[1]).join()).toMatch(/"b".*"c"/)
  await expectValidSessions(sql)
})
