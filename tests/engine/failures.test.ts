import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { waitForRetry } from '#lib/engine/worker/wait-for-retry.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyError, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { wakeAll } from '#tests/support/servers/wake-all.ts'

test('a turn that fails before its first step fails once and does not restart automatically; "retry now" includes its message', async () => {
  const { ctx, sql, saveAgent, startSession: openSession } = await startTestServer()
  const session = await openSession(await saveAgent({}))
  // Before its first step a turn has only the agent, which is deleted here.
  await sql`delete from agents where id = 'test'`
  expect(await session.runTurn('hello')).toMatchObject({ outcome: 'failed' })
  // One transaction releases the session and writes its terminal event; otherwise another turn would own it
  // already.
  const [sessionRow] =
    await sql`select owner, has_work, turn_id from heads where session_key = ${session.key}`
  expect(sessionRow).toEqual({ owner: null, hasWork: 0, turnId: null })
  await wakeAll(sql, session)
  expect(endsOf(await session.log())).toHaveLength(1)

  await saveAgent({})
  const ended = session.waitForEnd()
  await retryTurn(ctx, { sessionId: session.id })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  await expectValidSessions(sql)
})

test('a retry that names a turn retries no other one', async () => {
  const {
    ctx,
    saveAgent,
    startSession: openSession
  } = await startTestServer({ script: [replyError(401), replyError(401), replyText('Hi')] })
  const session = await openSession(await saveAgent({}))
  const first = await session.runTurn('hello')
  const last = await session.runTurn('hello again')
  expect([first, last]).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }])
  await expect(retryTurn(ctx, { sessionId: session.id, turnId: first.turnId })).rejects.toMatchObject({
    code: 'CONFLICT'
  })
  const ended = session.waitForEnd()
  await retryTurn(ctx, { sessionId: session.id, turnId: last.turnId })
  expect(await ended).toMatchObject({ outcome: 'done' })
})

test('messages pending when a turn fails before its first step come before later ones, and an interrupt comes before both', async () => {
  const {
    sql,
    saveAgent,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('A'), replyText('B'), replyText('C'), replyText('D')] })
  const session = await openSession(await saveAgent({}))
  await session.send('a')
  await session.waitForText('A')
  await session.send('b', { whenBusy: 'queue' })
  await sql`delete from agents where id = 'test'`
  const failed = session.waitForEvent(event => event.type === 'status' && event.outcome === 'failed')
  model.release()
  await failed

  const key = { key: 'c, once' }
  const c = await session.send('c', key)
  expect(c).toMatchObject({ status: 'queued' })
  expect(await session.send('c', key)).toEqual(c)
  await expect.poll(async () => endsOf(await session.log())).toHaveLength(3)
  await saveAgent({})
  expect(await session.send('d', { whenBusy: 'interrupt' })).toMatchObject({ status: 'queued' })
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  const texts = (await session.get()).messages.map(textOf)
  expect(texts).toEqual(['a', 'A', 'd', 'B', 'b', 'C', 'c', 'D'])
  const outcomes = endsOf(await session.log()).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['done', 'failed', 'failed', 'done', 'done', 'done'])
  await expectValidSessions(sql)
})

test('a message that steers in while the model call fails does not wait for the retry', async () => {
  const {
    ctx,
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('One'), replyText('Two.')] })
  const session = await openSession()
  await session.send('hello')
  await session.waitForText('One')
  await session.send('and this', { whenBusy: 'steer' })
  const [sessionRow] = await sql`select epoch, owner from heads where session_key = ${session.key}`
  // This is what the worker does when its model call ends with a 429 now.
  const lease = {
    sessionKey: session.key,
    epoch: sessionRow?.epoch as number,
    workerId: sessionRow?.owner as string
  }
  await waitForRetry(ctx, lease, { code: 'RATE_LIMITED', message: 'Later.', retryable: true }, 3600)
  expect(JSON.stringify((await model.request(1)).body.messages)).toMatch(/hello.*and this/)
})

test('001-18: a provider that asks for an absurdly long wait is retried after at most an hour, and the turn ends after its attempts', async () => {
  const server = await startTestServer({
    script: () => replyError(429, { headers: { 'retry-after': '300000000000' } })
  })
  const session = await server.startSession()
  await session.send('hello')
  const retryWaits = () =>
    session.events.filter(event => event.type === 'status' && event.retryAt !== undefined)
  for (const nth of [1, 2, 3]) {
    await expect.poll(() => retryWaits().length).toBe(nth)
    const { retryAt = '' } = retryWaits().at(-1) as { retryAt?: string }
    const wait = Date.parse(retryAt) - Date.now()
    expect(wait).toBeGreaterThan(3_590_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
    await server.advanceTime(3601)
  }
  const end = await session.waitForEvent(event => event.type === 'status' && event.outcome === 'failed')
  expect(end).toMatchObject({ error: { code: 'RATE_LIMITED' } })
  expect(server.model.requests).toHaveLength(4)
})

test('a failure between steps leaves the committed step in the message', async () => {
  const externalServer = await startExternalSystem(() => undefined)
  const server = await startTestServer({
    script: [replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/slow` } })],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await server.startSession('test')
  await session.send('fetch it')
  await externalServer.request(0)
  await server.sql`delete from agents where id = 'test'`
  await server.stopServer()
  const { ctx } = await server.startSecondServer()
  const reopened = await server.reopenSession(session.id, ctx)
  await reopened.waitForEvent(event => event.type === 'status' && event.outcome === 'failed')
  const parts = (await reopened.get()).messages.flatMap(message => message.parts.map(part => part.type))
  expect(parts).toContain('tool-web-fetch')
  await expectValidSessions(ctx.sql as Pool)
})
