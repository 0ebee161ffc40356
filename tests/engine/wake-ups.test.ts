import { expect, onTestFinished, test } from 'vitest'
import { armFailpoints } from '#lib/kernel/failpoint.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { holdHead, lockWaits } from '#tests/support/servers/lock-waits.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('many senders to many sessions on two workers: every accepted message is handled', async () => {
  const {
    ctx,
    sql,
    startSession: openSession,
    startSecondServer
  } = await startTestServer({ settings: { WAYSTATION_ROLE: 'worker' } })
  const other = await startSecondServer()
  const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession()))
  const modes = ['queue', 'steer', 'queue', 'interrupt'] as const
  await Promise.all(
    sessions.flatMap(({ id }, sessionIndex) =>
      Array.from({ length: 6 }, async (_, sender) => {
        for (let i = 0; i < 4; i++) {
          const senderCtx = (sessionIndex + sender + i) % 2 ? ctx : other.ctx
          const whenBusy = modes[(sender + i) % modes.length] ?? 'queue'
          await sendMessage(senderCtx, { sessionId: id, text: `say ${sender}.${i}`, whenBusy })
        }
      })
    )
  )
  await expect.poll(() => isServerIdle(sql), { interval: 50, timeout: 60_000 }).toBe(true)
  await expectValidSessions(sql)
  const [{ waiting } = {}] = await sql`select count(*)::int as waiting from inbox where consumed_at is null`
  expect(waiting).toBe(0)
}, 120_000)

test.each([
  ['a message to the turn', 'steer'],
  ['the first message after a cancel', 'reject']
] as const)(
  'a wake-up by %s that is requested while its job is being taken is not lost (graphile/worker#580)',
  async (_, whenBusy) => {
    const {
      sql,
      ctx,
      databaseUrl,
      startSession: openSession
    } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
    const url = databaseUrl()
    const session = await openSession()
    await session.send('say one')
    if (whenBusy === 'reject') await session.cancel()

    // Another worker takes the wake job, as `get_job` does, and has not committed yet.
    const jobStarted = Promise.withResolvers<void>()
    const committed = Promise.withResolvers<void>()
    const takingJob = sql.begin(async tx => {
      await tx`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker that dies', attempts = attempts + 1
      where key = ${`wake:${session.key}`}`
      jobStarted.resolve()
      await committed.promise
    })
    await jobStarted.promise
    const sent = session.send('say two', { whenBusy })
    await lockWaits(sql, 1)
    committed.resolve()
    await Promise.all([takingJob, sent])

    const jobs = await sql`select key, locked_at is not null as locked from graphile_worker.jobs order by id`
    expect(jobs).toEqual([
      { key: `wake:${session.key}`, locked: true },
      { key: null, locked: false }
    ])
    const ended = session.waitForEnd()
    await startTestServer({ database: url, settings: { WAYSTATION_ROLE: 'worker' } })
    expect(await ended).toMatchObject({ outcome: 'done' })
    expect(await ctx.sql`select from inbox where consumed_at is null`).toHaveLength(0)
  }
)

test('if the message is stored before the release, the owner sees it and continues', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('one'), replyText('two')] })
  const session = await openSession()
  await session.send('first')
  await session.waitForText('one')
  const lock = await holdHead(sql, session.key)
  const sent = session.send('second', { whenBusy: 'queue' })
  await lockWaits(sql, 1)
  model.release()
  await lockWaits(sql, 2)
  await lock.release()
  await sent
  await session.waitForText('two')
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  await expectValidSessions(sql)
})

test('a message that is sent while the owner releases the session wakes a worker', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('one'), replyText('two')] })
  const session = await openSession()
  await session.send('first')
  await session.waitForText('one')
  const releasing = Promise.withResolvers<void>()
  const mayRelease = Promise.withResolvers<void>()
  armFailpoints(async point => {
    if (point !== 'after_lease_check') return
    // The step was started, so this transaction commits it, ends the turn and releases the session. It holds the
    // session lock.
    const [turnEnd] = await sql`
      select from turns where session_key = ${session.key} and begun = 1 and ended_at is null`
    if (turnEnd === undefined) return
    releasing.resolve()
    await mayRelease.promise
  })
  onTestFinished(() => armFailpoints(() => undefined))
  model.release()
  await releasing.promise
  const sent = session.send('second', { whenBusy: 'queue' })
  await lockWaits(sql, 1)
  armFailpoints(() => undefined)
  mayRelease.resolve()
  await sent
  await session.waitForText('two')
  const log = await session.log()
  const firstEnd = log.findIndex(event => event.type === 'status' && event.outcome === 'done')
  const second = log.findIndex(
    event => event.type === 'message' && JSON.stringify(event.message).includes('second')
  )
  expect([firstEnd >= 0, second > firstEnd], 'The release came first.').toEqual([true, true])
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  await expectValidSessions(sql)
})

test('a lost wake-up job delays a message by at most one minute, until the sweep', async () => {
  const {
    sql,
    startSession: openSession,
    databaseUrl
  } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const url = databaseUrl()
  const session = await openSession()
  await session.send('say one')
  await sql`delete from graphile_worker._private_jobs`
  const ended = session.waitForEnd()
  await startTestServer({ database: url, settings: { WAYSTATION_ROLE: 'worker' } })
  await sql`select graphile_worker.add_job('requeue-runnable')`
  expect(await ended).toMatchObject({ outcome: 'done' })
})

test('a wake-up that arrives twice, late or without work does nothing', async () => {
  const { sql, startSession: openSession } = await startTestServer()
  const session = await openSession()
  await session.runTurn('say one')
  const before = await session.log()
  for (let i = 0; i < 3; i++)
    await sql`select graphile_worker.add_job('wake', ${{ sessionKey: session.key }}::json)`
  await sql`select graphile_worker.add_job('wake', '{"sessionKey": 999999}'::json)`
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where task_identifier = 'wake'`).length)
    .toBe(0)
  expect(await session.log()).toEqual(before)
  expect(await session.runTurn('say two')).toMatchObject({ outcome: 'done' })
})

test('the job of a dead worker is released as soon as the worker is found dead', async () => {
  const {
    sql,
    startSession: openSession,
    databaseUrl
  } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const url = databaseUrl()
  const session = await openSession()
  await session.send('say one')
  await sql`
    insert into workers (id, host, pool_id, heartbeat_at)
    values ('dead', 'there', 'pool of the dead', clock_timestamp() - interval '1 minute')`
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool of the dead'`
  const ended = session.waitForEnd()
  await startTestServer({ database: url, settings: { WAYSTATION_ROLE: 'worker' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
})
