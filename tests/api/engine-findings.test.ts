import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import { expect, test } from 'vitest'
import { inTransaction, together } from '#db/transaction.ts'
import { Tail } from '#lib/events/tail.ts'
import { compactMessages } from '#lib/messages/compact.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { waitForRetry } from '#lib/sessions/wait-for-retry.ts'
import { calls, fails, holds, says } from '#tests/support/openai-replies.ts'
import { startOutside } from '#tests/support/outside.ts'
import { testWorld } from '#tests/support/world.ts'

const question = { name: 'ask-question', input: { question: 'Which?', inputType: 'text' } }

test('R1: a turn that fails before its first step fails once, and does not begin again by itself', async () => {
  const { sql, agent, session: open } = await testWorld()
  await agent({ chat: { model: 'nobody/nothing' } })
  const session = await open('test')
  await session.says('hello')
  await pause(1500)
  const [row] = await sql`select count(*)::int as n from turns where session_key = ${session.key}`
  expect(row?.n).toBe(1)
})

test('R2: a stop before the first step of a resumed turn is a stop', async () => {
  const {
    model,
    leave,
    second,
    reopen,
    session: open
  } = await testWorld({
    script: [calls(question), says('Going on.')]
  })
  const session = await open('guide')
  await session.send('ask')
  const call = await session.waitsFor('ask-question')
  await expect.poll(async () => (await session.get()).session.status).toBe('parked')
  const web = await second({ WAYSTATION_ROLE: 'web' })
  const there = await reopen(session.id, web.ctx)
  await leave()
  await there.answer(call, { output: { answer: 'a' } })
  await there.cancel()
  expect((await there.get()).session.status).toBe('idle')
  expect(model.requests).toHaveLength(1)
})

test('R3: an answer given after a stop in the tools phase still reaches the model', async () => {
  const outside = await startOutside(() => undefined)
  const {
    model,
    agent,
    session: open
  } = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: `${outside.url}/slow` } }, question), says('I see.')],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await agent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'ask-question' }] } })
  const session = await open('test')
  await session.send('go')
  await outside.request(0)
  const call = await session.waitsFor('ask-question')
  const ended = session.ends()
  await session.cancel()
  await ended
  await session.answer(call, { output: { answer: 'blue' } })
  await expect.poll(() => model.requests.length, { timeout: 3000 }).toBe(2)
})

test('R4: what steers in while the model call is failing is not left lying until the retry', async () => {
  const { ctx, sql, model, session: open } = await testWorld({ script: [holds('One'), says('Two.')] })
  const session = await open()
  await session.send('hello')
  await session.reads('One')
  await session.send('and this', { whenBusy: 'steer' })
  const [head] = await sql`select epoch, owner from heads where session_key = ${session.key}`
  // What the runner does when this model call ends with a 429 now.
  const lease = { sessionKey: session.key, epoch: head?.epoch as number, workerId: head?.owner as string }
  await waitForRetry(ctx, lease, { code: 'RATE_LIMITED', message: 'Later.', retryable: true }, 3600)
  await expect.poll(() => model.requests.length, { timeout: 4000 }).toBe(2)
})

test('R5: a look that fails when a reader joins does not leave the session deaf', async () => {
  const { ctx, sql, session: open } = await testWorld()
  const session = await open()
  let broken = true
  const flaky = new Proxy(sql, {
    apply(target, self, args) {
      const words = (args[0] as string[]).join('')
      if (broken && words.includes('select seq from heads'))
        return Promise.reject(new Error('connection lost'))
      return Reflect.apply(target as never, self, args)
    }
  }) as postgres.Sql
  const tail = new Tail(flaky, { ring() {}, onRing: () => () => {}, stop: async () => {} })
  const stop = new AbortController()
  await expect(tail.follow(session.key, 0, stop.signal).next()).rejects.toThrow('connection lost')
  broken = false
  const seen: number[] = []
  const reading = (async () => {
    for await (const told of tail.follow(session.key, 0, stop.signal))
      if (told !== 'reset') seen.push(told.seq)
  })()
  await pause(300)
  const before = seen.length
  await session.says('say hi')
  await pause(2500)
  stop.abort()
  tail.stop()
  await reading
  expect(ctx).toBeDefined()
  expect(seen.length).toBeGreaterThan(before)
})

test('R6: compaction does not eat the step of a failed message that is being retried', async () => {
  const {
    ctx,
    model,
    session: open,
    sql
  } = await testWorld({
    script: [fails(401), holds('Here I am after all')]
  })
  const session = await open()
  await session.says('hello')
  const [row] =
    await sql`update messages set done_at = done_at - interval '11 minutes' where role = 'assistant' returning id`
  expect(row).toBeDefined()
  const ended = session.ends()
  await retryTurn(ctx, { sessionId: session.id })
  await session.reads('all')
  const live = (await session.said()).join('')
  await compactMessages(ctx)
  model.release()
  await ended
  expect.soft(live).toContain('Here I am')
  expect.soft((await session.said()).join('')).toContain('Here I am after all')
})

test('R7: nothing of a failed transaction is written after its rollback', async () => {
  const { ctx, sql, session: open } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await open()
  const deep = async (n: number, work: () => Promise<unknown>): Promise<unknown> =>
    n === 0 ? work() : await deep(n - 1, work)
  for (const depth of [0, 2, 4, 6, 10, 20]) {
    await inTransaction(ctx, async tx => {
      await tx.sql`select 1`
      await together([
        deep(depth, async () => tx.sql`select 1`).then(
          () => tx.sql`update sessions set title = ${`leaked at ${depth}`} where key = ${session.key}`
        ),
        tx.sql`select 1 / 0`
      ])
    }).catch(() => {})
  }
  await pause(200)
  const [row] = await sql`select title from sessions where key = ${session.key}`
  expect(row?.title).toBe('')
})

test('R8: a provider that asks to wait absurdly long is not asked again every second', async () => {
  const { model, session: open } = await testWorld({
    script: Array.from({ length: 20 }, () => fails(429, { headers: { 'retry-after': '300000000000' } }))
  })
  const session = await open()
  await session.send('hello')
  await pause(5000)
  expect(model.requests).toHaveLength(1)
})

test('R9: a failure between steps leaves the committed step in the message', async () => {
  const outside = await startOutside(() => undefined)
  const {
    agent,
    leave,
    second,
    reopen,
    session: open
  } = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: `${outside.url}/slow` } })],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await open('test')
  await session.send('fetch it')
  await outside.request(0)
  await agent({ chat: { model: 'nobody/nothing', tools: [{ name: 'web-fetch' }] } })
  await leave()
  const { ctx } = await second()
  const there = await reopen(session.id, ctx)
  await expect.poll(async () => (await there.get()).session.status, { timeout: 15000 }).toBe('failed')
  const parts = (await there.get()).messages.flatMap(message => message.parts.map(part => part.type))
  expect(parts).toContain('tool-web-fetch')
})

test('R10: "retry now" and then a stop, before anybody ran: it is stopped', async () => {
  const {
    model,
    leave,
    second,
    reopen,
    session: open
  } = await testWorld({
    script: [fails(429, { headers: { 'retry-after': '600' } }), says('Hi.')]
  })
  const session = await open()
  await session.send('hello')
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  const web = await second({ WAYSTATION_ROLE: 'web' })
  const there = await reopen(session.id, web.ctx)
  await leave()
  await retryTurn(web.ctx, { sessionId: session.id })
  await there.cancel()
  expect((await there.get()).session.status).toBe('idle')
  expect(model.requests).toHaveLength(1)
})
