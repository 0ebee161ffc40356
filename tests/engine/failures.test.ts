import { textOf } from '@waystation/protocol/session/message.ts'
import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { waitForRetry } from '#lib/engine/worker/wait-for-retry.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { startOtherSystem } from '#tests/support/fakes/external-system.ts'
import { calls, fails, holds, says } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'
import { wakeAll } from '#tests/support/servers/wake-all.ts'

test('a turn that fails before its first step fails once and does not restart automatically; "retry now" includes its message', async () => {
  const { ctx, sql, agent, session: openSession } = await testWorld()
  const session = await openSession(await agent({}))
  // Before its first step a turn has only the agent, which is deleted here.
  await sql`delete from agents where id = 'test'`
  expect(await session.says('hello')).toMatchObject({ outcome: 'failed' })
  // One transaction releases the session and writes its terminal event; otherwise another turn would own it
  // already.
  const [sessionRow] =
    await sql`select owner, has_work, turn_id from heads where session_key = ${session.key}`
  expect(sessionRow).toEqual({ owner: null, hasWork: 0, turnId: null })
  await wakeAll(sql, session)
  expect(endsOf(await session.log())).toHaveLength(1)

  await agent({})
  const ended = session.ends()
  await retryTurn(ctx, { sessionId: session.id })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  await expectSoundSessions(sql)
})

test('a retry that names a turn retries no other one', async () => {
  const {
    ctx,
    agent,
    session: openSession
  } = await testWorld({ script: [fails(401), fails(401), says('Hi')] })
  const session = await openSession(await agent({}))
  const first = await session.says('hello')
  const last = await session.says('hello again')
  expect([first, last]).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }])
  await expect(retryTurn(ctx, { sessionId: session.id, turnId: first.turnId })).rejects.toMatchObject({
    code: 'CONFLICT'
  })
  const ended = session.ends()
  await retryTurn(ctx, { sessionId: session.id, turnId: last.turnId })
  expect(await ended).toMatchObject({ outcome: 'done' })
})

test('messages pending when a turn fails before its first step come before later ones, and an interrupt comes before both', async () => {
  const {
    sql,
    agent,
    model,
    session: openSession
  } = await testWorld({ script: [holds('A'), says('B'), says('C'), says('D')] })
  const session = await openSession(await agent({}))
  await session.send('a')
  await session.reads('A')
  await session.send('b', { whenBusy: 'queue' })
  await sql`delete from agents where id = 'test'`
  const failed = session.sees(event => event.type === 'status' && event.outcome === 'failed')
  model.release()
  await failed

  const key = { key: 'c, once' }
  const c = await session.send('c', key)
  expect(c).toMatchObject({ status: 'queued' })
  expect(await session.send('c', key)).toEqual(c)
  await expect.poll(async () => endsOf(await session.log())).toHaveLength(3)
  await agent({})
  expect(await session.send('d', { whenBusy: 'interrupt' })).toMatchObject({ status: 'queued' })
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  const texts = (await session.get()).messages.map(textOf)
  expect(texts).toEqual(['a', 'A', 'd', 'B', 'b', 'C', 'c', 'D'])
  const outcomes = endsOf(await session.log()).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['done', 'failed', 'failed', 'done', 'done', 'done'])
  await expectSoundSessions(sql)
})

test('a message that steers in while the model call fails does not wait for the retry', async () => {
  const { ctx, sql, model, session: openSession } = await testWorld({ script: [holds('One'), says('Two.')] })
  const session = await openSession()
  await session.send('hello')
  await session.reads('One')
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
  const world = await testWorld({ script: () => fails(429, { headers: { 'retry-after': '300000000000' } }) })
  const session = await world.session()
  await session.send('hello')
  const retryWaits = () =>
    session.events.filter(event => event.type === 'status' && event.retryAt !== undefined)
  for (const nth of [1, 2, 3]) {
    await expect.poll(() => retryWaits().length).toBe(nth)
    const { retryAt = '' } = retryWaits().at(-1) as { retryAt?: string }
    const wait = Date.parse(retryAt) - Date.now()
    expect(wait).toBeGreaterThan(3_590_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
    await world.pass(3601)
  }
  const end = await session.sees(event => event.type === 'status' && event.outcome === 'failed')
  expect(end).toMatchObject({ error: { code: 'RATE_LIMITED' } })
  expect(world.model.requests).toHaveLength(4)
})

test('a failure between steps leaves the committed step in the message', async () => {
  const externalServer = await startOtherSystem(() => undefined)
  const world = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: `${externalServer.url}/slow` } })],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await world.session('test')
  await session.send('fetch it')
  await externalServer.request(0)
  await world.sql`delete from agents where id = 'test'`
  await world.leave()
  const { ctx } = await world.second()
  const reopened = await world.reopen(session.id, ctx)
  await reopened.sees(event => event.type === 'status' && event.outcome === 'failed')
  const parts = (await reopened.get()).messages.flatMap(message => message.parts.map(part => part.type))
  expect(parts).toContain('tool-web-fetch')
  await expectSoundSessions(ctx.sql as Pool)
})
