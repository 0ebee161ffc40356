import { expect, test } from 'vitest'
import { connect } from '#db/client.ts'
import { featurePorts } from '#lib/compose/extensions.ts'
import { commitHost } from '#lib/compose/turn/commit-host.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import { commitStep } from '#lib/engine/worker/commit-step.ts'
import { claimHead, reap, register, resign, sendHeartbeat } from '#lib/engine/worker/lease.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { resolveTools } from '#lib/tools/resolve.ts'
import { beginLiveStep } from '#tests/support/begin-live-step.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { guide } from '#tests/support/servers/guide.ts'
import { holdHead } from '#tests/support/servers/lock-waits.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'
import { wakeAll } from '#tests/support/servers/wake-all.ts'

const revisionRun = { agentId: 'test', revision: 1 }
const host = (messageId: string) =>
  commitHost({
    messageId,
    agentId: 'test',
    tools: resolveTools(featurePorts() as Ports, [{ name: 'web-fetch' }], [])
  })

/** Lets a worker claim the session and start the step. */
async function claimAndStart({ ctx, sql }: TestServer, { key }: TestSession) {
  const workerId = await register(sql)
  const lease = await claimHead(ctx, key, workerId, 1)
  if (lease === undefined) throw new Error('The session was not there to be taken.')
  const startedStep = await beginLiveStep(ctx, lease, guide)
  if (startedStep.kind !== 'step') throw new Error('There was no step to begin.')
  return { lease, messageId: startedStep.messageId }
}

async function crash({ sql }: TestServer, { workerId }: Lease): Promise<void> {
  await sql`update workers set heartbeat_at = heartbeat_at - interval '1 minute' where id = ${workerId}`
  expect(await reap(sql)).toBe(1)
}

test('a step over which ten workers died in a row is not started again automatically; "Retry now" starts it', async () => {
  const server = await startTestServer({
    script: [replyText('At last.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const session = await server.startSession()
  await session.send('hello')
  for (let death = 0; death < 10; death++) await crash(server, (await claimAndStart(server, session)).lease)

  const ended = session.waitForEnd()
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'failed', error: { code: 'WORKER_DIED' } })
  expect(server.model.requests).toEqual([])
  const turnEnd = session.waitForEnd()
  await retryTurn(server.ctx, { sessionId: session.id })
  expect(await turnEnd).toMatchObject({ outcome: 'done' })
  expect(await session.agentTexts()).toEqual(['At last.'])
})

test('crashes over a step that was committed since, and workers that stop cleanly, are not counted', async () => {
  const server = await startTestServer({
    script: [replyText('At last.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const session = await server.startSession()
  await session.send('hello')
  for (let death = 0; death < 9; death++) await crash(server, (await claimAndStart(server, session)).lease)
  for (let stop = 0; stop < 5; stop++)
    await resign(server.sql, (await claimAndStart(server, session)).lease.workerId)
  const { lease, messageId } = await claimAndStart(server, session)
  const call = { toolCallId: 'c', toolName: 'web-fetch', input: { url: 'http://127.0.0.1:1/' } }
  const step = { content: [], calls: [call], usage: { inputTokens: 1, outputTokens: 1 } }
  await commitStep(server.ctx, lease, messageId, step, revisionRun, 0, host(messageId))
  await crash(server, lease)

  const ended = session.waitForEnd()
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.agentTexts()).toEqual(['At last.'])
})

test('messages queued behind a step that kills its workers also wait for a user', async () => {
  const server = await startTestServer({
    script: () => replyText('Fine.'),
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const session = await server.startSession()
  await session.send('hello')
  await session.send('and later', { whenBusy: 'queue' })
  for (let death = 0; death < 10; death++) await crash(server, (await claimAndStart(server, session)).lease)
  const ended = session.waitForEnd()
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'failed', error: { code: 'WORKER_DIED' } })
  await wakeAll(server.sql, session)
  expect(server.model.requests).toEqual([])
  await session.send('once more', { whenBusy: 'queue' })
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await session.agentTexts()).not.toHaveLength(0)
})

test('a stop that was accepted before the last crash takes effect: nothing runs after it', async () => {
  const server = await startTestServer({ script: [], settings: { WAYSTATION_ROLE: 'web' } })
  const session = await server.startSession()
  await session.send('hello')
  const { lease, messageId } = await claimAndStart(server, session)
  const call = { toolCallId: 'c', toolName: 'web-fetch', input: { url: 'http://127.0.0.1:1/' } }
  const step = { content: [], calls: [call], usage: { inputTokens: 1, outputTokens: 1 } }
  await commitStep(server.ctx, lease, messageId, step, revisionRun, 0, host(messageId))
  await server.sql`update turns set crashes = 9`
  await session.cancel()
  await crash(server, lease)
  const ended = session.waitForEnd()
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'cancelled' })
  const [settledTurn] =
    await server.sql`select state, claimed_at from calls where session_key = ${session.key}`
  expect(settledTurn).toEqual({ state: 'failed', claimedAt: null })
})

test('from the second crash on, turns that crashed together are scheduled apart', async () => {
  const server = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const sessions = await Promise.all(Array.from({ length: 20 }, () => server.startSession()))
  for (const session of sessions) await session.send('hello')
  const wakeUps = () => server.sql<{ late: number }[]>`
    select extract(epoch from run_at - clock_timestamp())::float8 as late from graphile_worker.jobs
    where task_identifier = 'wake' order by run_at`
  for (let death = 1; death <= 5; death++) {
    await server.sql`delete from graphile_worker._private_jobs`
    const workerId = await register(server.sql)
    for (const { key } of sessions) await claimHead(server.ctx, key, workerId, 1)
    await server.sql`update workers set heartbeat_at = heartbeat_at - interval '1 minute'`
    expect(await reap(server.sql)).toBe(20)
    if (death === 1) for (const { late: delays } of await wakeUps()) expect(delays).toBeLessThanOrEqual(0)
  }
  const delays = (await wakeUps()).map(wakeUp => wakeUp.late)
  expect(delays).toHaveLength(20)
  expect(Math.max(...delays)).toBeLessThanOrEqual(8)
  expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(1)
})

test('a locked session does not keep a process from stopping, and continues in another process', async () => {
  const server = await startTestServer({
    script: () => replyText('Fine.'),
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const session = await server.startSession()
  await session.send('hello')
  const { lease } = await claimAndStart(server, session)
  const lock = await holdHead(server.sql, session.key)
  await resign(server.sql, lease.workerId)
  await lock.release()
  const ended = session.waitForEnd()
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'done' })
})

test('a worker that lost its connection is dead after one missed heartbeat and a margin, otherwise after three', async () => {
  const server = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const { sql } = server
  const crashed = connect(server.databaseUrl(), { max: 1 })
  const missHeartbeats = async (seconds: number, ...ids: string[]) =>
    void (await sql`
      update workers set heartbeat_at = clock_timestamp() - make_interval(secs => ${seconds}) where id = any(${ids})`)
  const workers = async () => (await sql<{ id: string }[]>`select id from workers`).map(({ id }) => id).sort()
  const [disconnected, connected, olderVersion, reaper] = [
    await register(crashed),
    await register(sql),
    await register(sql),
    await register(sql)
  ]
  await sendHeartbeat(crashed, disconnected)
  for (const id of [connected, reaper]) await sendHeartbeat(sql, id)
  await crashed.end()
  // A worker of an older version does not report which connection it uses for heartbeats; `olderVersion` is
  // one.
  const ended = () => sql`
    select from workers where id = ${disconnected} and exists (select from pg_stat_activity where pid = backend)`
  await expect.poll(ended).toEqual([])

  await missHeartbeats(0.2, disconnected, connected, olderVersion)
  await reap(sql, reaper)
  expect(await workers()).toEqual([disconnected, connected, olderVersion, reaper].sort())

  // Simulates a Postgres that has closed all connections, including this worker’s.
  await missHeartbeats(2.5, disconnected, connected, olderVersion, reaper)
  await reap(sql, reaper)
  expect(await workers()).toEqual([disconnected, connected, olderVersion, reaper].sort())

  await sendHeartbeat(sql, reaper)
  await reap(sql, reaper)
  expect(await workers()).toEqual([connected, olderVersion, reaper].sort())

  await missHeartbeats(3.6, connected, olderVersion)
  await reap(sql, reaper)
  expect(await workers()).toEqual([reaper])
})

test('a worker whose heartbeats are on time keeps its identity and its sessions', async () => {
  const { sql, model, startSession: openSession } = await startTestServer({ script: [replyThenHold('One')] })
  const session = await openSession()
  await session.send('count')
  await session.waitForText('One')
  const worker = async () =>
    (await sql<{ id: string; at: string }[]>`select id, heartbeat_at as at from workers`)[0]
  const before = await worker()
  await expect.poll(async () => (await worker())?.at).not.toEqual(before?.at)
  expect(await worker()).toMatchObject({ id: before?.id })
  model.release()
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(1)
})

test('a message that reaches a worker which was declared dead calls the model once, after the worker has a new identity', async () => {
  const { sql, model, startSession: openSession } = await startTestServer({ script: [replyThenHold('One')] })
  const session = await openSession()
  await sql`delete from workers`
  await session.send('count')
  await session.waitForText('One')
  const [row] =
    await sql`select owner in (select id from workers) as known from heads where session_key = ${session.key}`
  expect(row).toEqual({ known: true })
  model.release()
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(1)
})
