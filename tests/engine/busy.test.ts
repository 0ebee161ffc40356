import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { removeMessage } from '#lib/sessions/remove-message.ts'
import { calls, holds, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { endsOf, expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { type TestSession, testWorld } from '#tests/support/worlds/world.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }
/** The words of a prompt, message by message. */
const prompt = (request: ModelRequest | undefined) =>
  (request?.body.messages ?? []).map(({ content }) => JSON.stringify(content))

/** What people see, message by message: role and words. */
const transcript = async (session: TestSession) =>
  (await session.get()).messages.map(
    ({ role, parts }) => `${role}: ${parts.map(part => ('text' in part ? part.text : '')).join('')}`
  )

test('reject: a busy session refuses, and nothing of the message is kept', async () => {
  const { model, session: open } = await testWorld({ script: [holds('One')] })
  const session = await open()
  await session.send('first')
  await session.reads('One')
  const before = await session.log()
  await expect(session.send('second')).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect(await session.log()).toEqual(before)
  model.release()
  await session.sees(event => event.type === 'status' && event.outcome === 'done')
  expect(await transcript(session)).toEqual(['user: first', 'assistant: One'])
})

test('queue: each message gets a turn of its own afterwards, in order, and moves to its place when its time comes', async () => {
  const {
    sql,
    model,
    session: open
  } = await testWorld({ script: [holds('A'), says('B'), says('C'), says('D')] })
  const session = await open()
  await session.send('a')
  await session.reads('A')
  for (const text of ['b', 'c', 'd'])
    expect(await session.send(text, { whenBusy: 'queue' })).toMatchObject({ status: 'queued' })
  const queued = (await session.get()).messages.slice(-3)
  expect(queued.map(message => message.metadata?.queued)).toEqual(['queue', 'queue', 'queue'])
  model.release()
  await session.reads('D')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await transcript(session)).toEqual(
    ['a', 'b', 'c', 'd'].flatMap(x => [`user: ${x}`, `assistant: ${x.toUpperCase()}`])
  )
  expect(endsOf(await session.log()).map(end => end.outcome)).toEqual(['done', 'done', 'done', 'done'])
  expect((await session.get()).messages.some(message => message.metadata?.queued)).toBe(false)
  await expectSoundSessions(sql)
})

test('a queued message can be taken back until the agent has it', async () => {
  const { ctx, model, session: open } = await testWorld({ script: [holds('A'), says('C')] })
  const session = await open()
  const first = await session.send('a')
  await session.reads('A')
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
  await session.reads('C')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await expect(removeMessage(ctx, { sessionId: session.id, itemId: c.itemId })).rejects.toMatchObject({
    code: 'CONFLICT'
  })
  expect(await transcript(session)).toEqual(['user: a', 'assistant: A', 'user: c', 'assistant: C'])
  expect(model.requests).toHaveLength(2)
})

test('steer: the message is before the next step of the same turn', async () => {
  const {
    sql,
    model,
    session: open
  } = await testWorld({
    script: [{ ...calls({ name: 'nothing', input: {} }), text: 'A', after: 'hold' } as Reply, says('B')]
  })
  const session = await open()
  await session.send('a')
  await session.reads('A')
  expect(await session.send('rather this', { whenBusy: 'steer' })).toMatchObject({ status: 'steering' })
  const ended = session.ends()
  model.release()
  await ended
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(endsOf(await session.log())).toHaveLength(1)
  expect(prompt(model.requests[1]).at(-1)).toContain('rather this')
  expect(await transcript(session)).toEqual(['user: a', 'assistant: A', 'user: rather this', 'assistant: B'])
  await expectSoundSessions(sql)
})

test('steer into a turn that has no further step: it gets a turn of its own', async () => {
  const { sql, model, session: open } = await testWorld({ script: [holds('A'), says('B')] })
  const session = await open()
  await session.send('a')
  await session.reads('A')
  await session.send('b', { whenBusy: 'steer' })
  model.release()
  await session.reads('B')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await transcript(session)).toEqual(['user: a', 'assistant: A', 'user: b', 'assistant: B'])
  await expectSoundSessions(sql)
})

test('interrupt: the turn ends as interrupted, what it had said stays, and the message is answered next, before the queue', async () => {
  const { sql, model, session: open } = await testWorld({ script: [holds('A half'), says('C'), says('B')] })
  const session = await open()
  await session.send('a')
  await session.reads('half')
  await session.send('b', { whenBusy: 'queue' })
  await session.send('c', { whenBusy: 'interrupt' })
  await session.reads('B')
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
  await expectSoundSessions(sql)
})

test('an interrupt that was answered is over: a turn that is stopped after it ends as cancelled', async () => {
  const { model, session: open } = await testWorld({ script: [holds('A'), says('B'), holds('C')] })
  const session = await open()
  await session.send('a')
  await session.reads('A')
  await session.send('b', { whenBusy: 'interrupt' })
  await session.reads('B')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await session.send('c')
  await session.reads('C')
  await session.cancel()
  expect(await session.ends()).toMatchObject({ outcome: 'cancelled' })
  model.release()
})

test('none of them touches an open call', async () => {
  const {
    sql,
    model,
    session: open
  } = await testWorld({
    script: (_request, index) =>
      index === 0 ? calls(question) : index === 1 ? holds('Well') : says(`Answer ${index}`)
  })
  const session = await open()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  await session.send('go on')
  await session.reads('Well')
  await expect(session.send('r')).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  await session.send('q', { whenBusy: 'queue' })
  await session.send('s', { whenBusy: 'steer' })
  await session.send('i', { whenBusy: 'interrupt' })
  await expect.poll(async () => (await session.get()).session.status).toBe('parked')
  expect((await session.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, deadline: call.deadline, since: call.since }
  ])
  model.release()
  await expectSoundSessions(sql)
})

test('a parked session is not busy: a message starts a turn at once', async () => {
  const { session: open } = await testWorld({ script: [calls(question), says('Hello.')] })
  const session = await open()
  expect(await session.says('offer')).toMatchObject({ status: 'parked' })
  expect(await session.send('hello')).toMatchObject({ status: 'started' })
})

test('the same key gets the same receipt, also while busy and after the end; with another body it is refused', async () => {
  const { model, session: open } = await testWorld({ script: [holds('One')] })
  const session = await open()
  const receipt = await session.send('first', { key: 'k' })
  await session.reads('One')
  expect(await session.send('first', { key: 'k' })).toEqual(receipt)
  await expect(session.send('other', { key: 'k' })).rejects.toMatchObject({ code: 'KEY_REUSED' })
  model.release()
  await session.sees(event => event.type === 'status' && event.outcome === 'done')
  expect(await session.send('first', { key: 'k' })).toEqual(receipt)
  expect(await transcript(session)).toEqual(['user: first', 'assistant: One'])
  expect(model.requests).toHaveLength(1)
})

test('twenty twins at once are one message', async () => {
  const { model, session: open } = await testWorld({ script: [says('One')] })
  const session = await open()
  const receipts = await Promise.all(Array.from({ length: 20 }, () => session.send('first', { key: 'twin' })))
  expect(new Set(receipts.map(({ itemId }) => itemId)).size).toBe(1)
  await session.sees(event => event.type === 'status' && event.outcome === 'done')
  expect(await transcript(session)).toEqual(['user: first', 'assistant: One'])
  expect(model.requests).toHaveLength(1)
})

test('a key is good for one session and one life of it', async () => {
  const { ctx, session: open, reopen } = await testWorld({ script: (_request, index) => says(`${index}`) })
  const one = await open()
  const other = await open()
  await one.says('hello', { key: 'k' })
  expect(await other.says('something else', { key: 'k' })).toMatchObject({ outcome: 'done' })
  await deleteSession(ctx, { sessionId: one.id })
  await createSession(ctx, { sessionId: one.id, agentId: 'guide' })
  const again = await reopen(one.id)
  expect(await again.says('another body', { key: 'k' })).toMatchObject({ outcome: 'done' })
})

test('what steers into a turn that is then cancelled stays in the conversation, and is queued no more', async () => {
  const { sql, model, session: open } = await testWorld({ script: [holds('A'), says('C')] })
  const session = await open()
  await session.send('a')
  await session.reads('A')
  await session.send('b', { whenBusy: 'steer' })
  const ended = session.ends()
  await session.cancel()
  await ended
  expect((await session.get()).messages.some(message => message.metadata?.queued)).toBe(false)
  await session.says('c')
  expect(prompt(model.requests[1]).join()).toMatch(/"b".*"c"/)
  await expectSoundSessions(sql)
})
