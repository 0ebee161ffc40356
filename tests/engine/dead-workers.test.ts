import { expect, test } from 'vitest'
import { connect } from '#db/client.ts'
import { featurePorts } from '#lib/compose/extensions.ts'
import { commitHost } from '#lib/compose/turn/open-step-calls.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import { beginStep } from '#lib/engine/worker/begin-step/begin-step.ts'
import { commitStep } from '#lib/engine/worker/commit-step.ts'
import { beat, reap, register, resign, takeSession } from '#lib/engine/worker/lease.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { resolveTools } from '#lib/tools/resolve.ts'
import { holds, says } from '#tests/support/fakes/openai-replies.ts'
import { guide } from '#tests/support/worlds/guide.ts'
import { holdHead } from '#tests/support/worlds/lock-waits.ts'
import { wakeAll } from '#tests/support/worlds/wake-all.ts'
import { type TestSession, type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

const ran = { agentId: 'test', revision: 1 }
const host = (messageId: string) =>
  commitHost({
    messageId,
    agentId: 'test',
    tools: resolveTools(featurePorts() as Ports, [{ name: 'web-fetch' }], [])
  })

/** A worker that takes the session and begins the step. */
async function begins({ ctx, sql }: TestWorld, { key }: TestSession) {
  const workerId = await register(sql)
  const lease = await takeSession(ctx, key, workerId, 1)
  if (lease === undefined) throw new Error('The session was not there to be taken.')
  const begun = await beginStep(ctx, lease, guide)
  if (begun.kind !== 'step') throw new Error('There was no step to begin.')
  return { lease, messageId: begun.messageId }
}

async function dies({ sql }: TestWorld, { workerId }: Lease): Promise<void> {
  await sql`update workers set heartbeat_at = heartbeat_at - interval '1 minute' where id = ${workerId}`
  expect(await reap(sql)).toBe(1)
}

test('a step over which ten workers died in a row is not begun again by itself; "Retry now" begins it', async () => {
  const world = await testWorld({ script: [says('At last.')], settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  for (let death = 0; death < 10; death++) await dies(world, (await begins(world, session)).lease)

  const ended = session.ends()
  await world.second({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'failed', error: { code: 'WORKER_DIED' } })
  expect(world.model.requests).toEqual([])
  const again = session.ends()
  await retryTurn(world.ctx, { sessionId: session.id })
  expect(await again).toMatchObject({ outcome: 'done' })
  expect(await session.said()).toEqual(['At last.'])
})

test('crashes over a step that was committed since, and workers that stop cleanly, do not count', async () => {
  const world = await testWorld({ script: [says('At last.')], settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  for (let death = 0; death < 9; death++) await dies(world, (await begins(world, session)).lease)
  for (let stop = 0; stop < 5; stop++) await resign(world.sql, (await begins(world, session)).lease.workerId)
  const { lease, messageId } = await begins(world, session)
  const call = { toolCallId: 'c', toolName: 'web-fetch', input: { url: 'http://127.0.0.1:1/' } }
  const step = { content: [], calls: [call], usage: { inputTokens: 1, outputTokens: 1 } }
  await commitStep(world.ctx, lease, messageId, step, ran, 0, host(messageId))
  await dies(world, lease)

  const ended = session.ends()
  await world.second({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.said()).toEqual(['At last.'])
})

test('what was queued behind a step that kills its workers waits for a person too', async () => {
  const world = await testWorld({ script: () => says('Fine.'), settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  await session.send('and later', { whenBusy: 'queue' })
  for (let death = 0; death < 10; death++) await dies(world, (await begins(world, session)).lease)
  const ended = session.ends()
  await world.second({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'failed', error: { code: 'WORKER_DIED' } })
  await wakeAll(world.sql, session)
  expect(world.model.requests).toEqual([])
  await session.send('once more', { whenBusy: 'queue' })
  await expect.poll(async () => (await session.get()).session.status, { timeout: 20_000 }).toBe('idle')
  expect(await session.said()).not.toHaveLength(0)
})

test('a stop that was accepted before the last death is a stop: nothing runs after it', async () => {
  const world = await testWorld({ script: [], settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  const { lease, messageId } = await begins(world, session)
  const call = { toolCallId: 'c', toolName: 'web-fetch', input: { url: 'http://127.0.0.1:1/' } }
  const step = { content: [], calls: [call], usage: { inputTokens: 1, outputTokens: 1 } }
  await commitStep(world.ctx, lease, messageId, step, ran, 0, host(messageId))
  await world.sql`update turns set crashes = 9`
  await session.cancel()
  await dies(world, lease)
  const ended = session.ends()
  await world.second({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'cancelled' })
  const [settled] = await world.sql`select state, claimed_at from calls where session_key = ${session.key}`
  expect(settled).toEqual({ state: 'failed', claimedAt: null })
})

test('turns that died together are rung apart from the second time on', async () => {
  const world = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const sessions = await Promise.all(Array.from({ length: 20 }, () => world.session()))
  for (const session of sessions) await session.send('hello')
  const rings = () => world.sql<{ late: number }[]>`
    select extract(epoch from run_at - clock_timestamp())::float8 as late from graphile_worker.jobs
    where task_identifier = 'wake' order by run_at`
  for (let death = 1; death <= 5; death++) {
    await world.sql`delete from graphile_worker._private_jobs`
    const workerId = await register(world.sql)
    for (const { key } of sessions) await takeSession(world.ctx, key, workerId, 1)
    await world.sql`update workers set heartbeat_at = heartbeat_at - interval '1 minute'`
    expect(await reap(world.sql)).toBe(20)
    if (death === 1) for (const { late } of await rings()) expect(late).toBeLessThanOrEqual(0)
  }
  const late = (await rings()).map(ring => ring.late)
  expect(late).toHaveLength(20)
  expect(Math.max(...late)).toBeLessThanOrEqual(8)
  expect(Math.max(...late) - Math.min(...late)).toBeGreaterThan(1)
})

test('a head that somebody holds does not keep a process from stopping; its session goes on elsewhere', async () => {
  const world = await testWorld({ script: () => says('Fine.'), settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  const { lease } = await begins(world, session)
  const held = await holdHead(world.sql, session.key)
  await resign(world.sql, lease.workerId)
  await held.release()
  const ended = session.ends()
  await world.second({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'done' })
})

test('a worker whose connection ended is dead after a missed beat and a bit, one that keeps it only after three; who has not beaten either judges nobody by that', async () => {
  const world = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const { sql } = world
  const crashed = connect(world.databaseUrl(), { max: 1 })
  const silentFor = async (seconds: number, ...ids: string[]) =>
    void (await sql`
      update workers set heartbeat_at = clock_timestamp() - make_interval(secs => ${seconds}) where id = any(${ids})`)
  const workers = async () => (await sql<{ id: string }[]>`select id from workers`).map(({ id }) => id).sort()
  const [gone, lives, older, by] = [
    await register(crashed),
    await register(sql),
    await register(sql),
    await register(sql)
  ]
  await beat(crashed, gone)
  for (const id of [lives, by]) await beat(sql, id)
  await crashed.end()
  // One of an older version never says which connection it beats on: `older` has not.
  const ended = () => sql`
    select from workers where id = ${gone} and exists (select from pg_stat_activity where pid = backend)`
  await expect.poll(ended).toEqual([])

  await silentFor(0.2, gone, lives, older)
  await reap(sql, by)
  expect(await workers()).toEqual([gone, lives, older, by].sort())

  // As behind a Postgres that has ended all connections, this one's too.
  await silentFor(2.5, gone, lives, older, by)
  await reap(sql, by)
  expect(await workers()).toEqual([gone, lives, older, by].sort())

  await beat(sql, by)
  await reap(sql, by)
  expect(await workers()).toEqual([lives, older, by].sort())

  await silentFor(3.6, lives, older)
  await reap(sql, by)
  expect(await workers()).toEqual([by])
})

test('a worker that beats in time stays the same one, and goes on with what it has', async () => {
  const { sql, model, session: open } = await testWorld({ script: [holds('One')] })
  const session = await open()
  await session.send('count')
  await session.reads('One')
  const worker = async () =>
    (await sql<{ id: string; at: string }[]>`select id, heartbeat_at as at from workers`)[0]
  const before = await worker()
  await expect.poll(async () => (await worker())?.at).not.toEqual(before?.at)
  expect(await worker()).toMatchObject({ id: before?.id })
  model.release()
  expect(await session.ends()).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(1)
})
