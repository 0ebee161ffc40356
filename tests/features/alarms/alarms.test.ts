import type { Call } from '@waystation/protocol/call/call.ts'
import type { MessageEvent, SessionChangedEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { type Lease, LeaseLost } from '#lib/engine/log/session-lock.ts'
import { cancelAlarm } from '#lib/features/alarms/cancel-alarm.ts'
import { enqueueOverdueAlarms, fireAlarm } from '#lib/features/alarms/fire-alarm.ts'
import { listAlarms } from '#lib/features/alarms/list-alarms.ts'
import { setAlarm } from '#lib/features/alarms/set-alarm.ts'
import { expireSessions } from '#lib/features/data/expire-sessions.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { armFailpoints } from '#lib/kernel/failpoint.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { listLog } from '#lib/sessions/list-log.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const tools = [{ name: 'alarm-clock' }, { name: 'list-alarms' }, { name: 'cancel-alarm' }]
const minutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()
const isFired = (event: SessionEvent) =>
  event.type === 'message' && event.placed !== true && event.message.metadata?.sentBy === 'Alarm clock'

/** Returns a session whose agent can set alarms. It uses the demo model unless there is a script. */
async function sessionWithAlarms(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options)
  await server.saveAgent({ chat: { tools } })
  const session = await server.startSession('test')
  return { ...server, session, ...actionsOf(session, server.ctx) }
}

const actionsOf = (session: TestSession, ctx: Ctx) => ({
  /** Makes the agent use a tool, and returns the result of the tool. */
  async uses<T>(name: string, input: object): Promise<T> {
    await session.runTurn(`use ${name} ${JSON.stringify(input)}`)
    const call = (await session.get()).calls.at(-1) as Call
    return (call.output ?? call.errorText) as T
  },
  list: async () => (await listAlarms(ctx, { sessionId: session.id })).alarms,
  /** Returns the messages of alarms, oldest first. */
  fired: async () =>
    (await listLog(ctx, { sessionId: session.id, limit: 500 })).events
      .toReversed()
      .filter(isFired) as MessageEvent[]
})

test('001-20: a due alarm becomes one message in its session and starts a turn', async () => {
  const { session, uses, list, fired, advanceTime, ctx } = await sessionWithAlarms()
  const wakeAtISO = minutes(60)
  const set = await uses<{ alarmId: string; nextAt: string }>('alarm-clock', {
    wakeAtISO,
    reminderMessage: 'say Good morning'
  })
  expect(set).toEqual({ alarmId: expect.stringMatching(/^alarm_/), nextAt: wakeAtISO })
  expect(await list()).toEqual([
    expect.objectContaining({ ...set, reminderMessage: 'say Good morning', toolCallId: expect.any(String) })
  ])
  expect((await session.get()).session).toMatchObject({ status: 'idle' })

  const ended = session.waitForEnd()
  await advanceTime(3601)
  const { message } = (await session.waitForEvent(isFired)) as MessageEvent
  expect(message.metadata).toMatchObject({ sentBy: 'Alarm clock' })
  expect(textOf(message)).toMatch(/^\[Alarm Clock\] say Good morning \(due \d{4}-\d\d-\d\dT\d\d:\d\dZ\)$/)
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await list()).toEqual([])
  await advanceTime(7200)
  await fireAlarm(ctx, set)
  expect(await fired()).toHaveLength(1)
})

const hourly = () => ({ wakeAtISO: minutes(60), repeatIntervalMinutes: 60, reminderMessage: 'say Hourly' })
const set = (input: object, id?: string) => replyCalls({ name: 'alarm-clock', input, ...(id && { id }) })

test('001-20: a repeating alarm fires each time; missed times are combined into one, and the next time stays on schedule', async () => {
  const { session, uses, list, fired, advanceTime } = await sessionWithAlarms()
  const first = hourly()
  const { alarmId } = await uses<{ alarmId: string }>('alarm-clock', first)
  let ended = session.waitForEnd()
  await advanceTime(3601)
  await ended
  expect(await fired()).toHaveLength(1)
  const [next] = await list()
  expect(next).toMatchObject({ alarmId, repeatIntervalMinutes: 60, firedAt: expect.any(String) })

  // Simulates a server that was down for five and a half hours.
  ended = session.waitForEnd()
  await advanceTime(5.5 * 3600)
  await ended
  expect(await fired()).toHaveLength(2)
  const [changedAlarm] = await list()
  // The test clock moves by whole seconds, so planned times stay the same.
  const plannedAt = Date.parse(first.wakeAtISO) - (3601 + 5.5 * 3600) * 1000
  expect((Date.parse(changedAlarm?.nextAt ?? '') - plannedAt) % 3_600_000).toBe(0)
  expect(Date.parse(changedAlarm?.nextAt ?? '')).toBeGreaterThan(Date.now())
})

test('001-20: an alarm can follow cron in a time zone, and the answer shows the schedule', async () => {
  const { session, uses, list, fired, advanceTime } = await sessionWithAlarms()
  const answer = await uses<{ nextAt: string }>('alarm-clock', {
    cron: '30 14 * * *',
    timeZone: 'Asia/Kolkata'
  })
  expect(answer).toMatchObject({ timeZone: 'Asia/Kolkata', nextAt: expect.stringMatching(/T09:00:00.000Z$/) })
  const ended = session.waitForEnd()
  await advanceTime((Date.parse(answer.nextAt) - Date.now()) / 1000 + 1)
  await ended
  expect(await fired()).toHaveLength(1)
  expect(await list()).toEqual([
    expect.objectContaining({ cron: '30 14 * * *', nextAt: expect.stringMatching(/T09:00:00.000Z$/) })
  ])
})

test('001-20: an alarm waits while the agent works, and fires at most once more during that time', async () => {
  const server = await sessionWithAlarms({
    script: [set(hourly()), replyText('Set.'), replyThenHold('Working'), replyText('Woken.')]
  })
  const { session, model, fired, list, advanceTime, sql } = server
  await session.runTurn('every hour')
  await session.send('work')
  await session.waitForText('Working')
  for (let n = 1; n <= 3; n++) {
    await advanceTime(3600)
    await expect.poll(async () => Date.parse((await list())[0]?.nextAt ?? '') > Date.now()).toBe(true)
  }
  expect(await fired()).toHaveLength(1)
  expect((await fired())[0]?.message.metadata).toMatchObject({ queued: 'queue' })
  model.release()
  await session.waitForText('Woken.')
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  model.setScript([replyText('Again.')])
  await advanceTime(3600)
  await expect.poll(async () => (await fired()).length).toBe(2)
  await session.waitForText('Again.')
})

test('001-20: an alarm that was due while no server ran fires once when a server runs again', async () => {
  const { session, uses, stopServer, startSecondServer, reopenSession, databaseUrl } =
    await sessionWithAlarms()
  await uses('alarm-clock', hourly())
  await uses('alarm-clock', { wakeAtISO: minutes(30), reminderMessage: 'say Once' })
  await stopServer()
  const directSql = connect(databaseUrl(), { max: 1 })
  await directSql`update alarms set next_at = next_at - interval '10 hours'`
  await directSql`update graphile_worker._private_jobs set run_at = run_at - interval '10 hours' where key like 'alarm:%'`
  const { ctx } = await startSecondServer()
  const reopened = await reopenSession(session.id, ctx)
  const { fired } = actionsOf(reopened, ctx)
  await expect.poll(async () => (await fired()).length).toBe(2)
  await expect.poll(() => isServerIdle(directSql)).toBe(true)
  expect((await fired()).map(({ message }) => textOf(message).slice(0, 24)).sort()).toEqual([
    '[Alarm Clock] say Hourly',
    '[Alarm Clock] say Once ('
  ])
  await expectValidSessions(directSql)
  await directSql.end()
})

test('001-20: the sweep finds a lost job within a minute', async () => {
  const { session, uses, fired, advanceTime, sql, ctx } = await sessionWithAlarms()
  await uses('alarm-clock', { wakeAtISO: minutes(30), reminderMessage: 'say Found' })
  await sql`delete from graphile_worker._private_jobs where key like 'alarm:%'`
  await advanceTime(1801)
  await enqueueOverdueAlarms(ctx)
  expect(await fired()).toEqual([])
  await advanceTime(31)
  await enqueueOverdueAlarms(ctx)
  await session.waitForEvent(isFired)
  expect(await fired()).toHaveLength(1)
})

test('001-20: a late job does not replace the job of a future time', async () => {
  const { uses, stopServer, startSecondServer } = await sessionWithAlarms()
  const { alarmId } = await uses<{ alarmId: string }>('alarm-clock', hourly())
  await stopServer()
  const { ctx } = await startSecondServer({ WAYSTATION_ROLE: 'web' })
  await ctx.sql`update alarms set next_at = next_at - interval '2 hours'`
  await enqueueOverdueAlarms(ctx)
  const jobs = await ctx.sql`
    select key, run_at > now() as later from graphile_worker.jobs where key like '%alarm:%' order by key`
  expect(jobs).toEqual([
    { key: `alarm:${alarmId}`, later: true },
    { key: `late-alarm:${alarmId}`, later: false }
  ])
})

test('001-20: for any number of processes and any failure, each time gives exactly one message', async () => {
  const { session, uses, stopServer, startSecondServer, reopenSession } = await sessionWithAlarms()
  const ids: string[] = []
  for (let n = 0; n < 4; n++)
    ids.push((await uses<{ alarmId: string }>('alarm-clock', { wakeAtISO: minutes(60) })).alarmId)
  await stopServer()
  // Neither process has a worker, so that only the calls below reach the failpoints.
  const web = await startSecondServer({ WAYSTATION_ROLE: 'web' })
  const otherWeb = await startSecondServer({ WAYSTATION_ROLE: 'web' })
  const { fired, list } = actionsOf(session, web.ctx)
  // Failures alternate between before the commit and after it, before the caller gets a response.
  let [reachedCount, failureCount] = [0, 0]
  armFailpoints(point => {
    if (point !== 'before_commit' && point !== 'after_commit_before_reply') return undefined
    reachedCount += 1
    if (reachedCount % 3 !== 0) return undefined
    failureCount += 1
    return Promise.reject(new Error(`Made to fail at ${point}.`))
  })
  onTestFinished(() => armFailpoints(() => undefined))
  for (const [n, alarmId] of ids.entries()) {
    await web.ctx.sql`update alarms set next_at = clock_timestamp() where id = ${alarmId}`
    for (let round = 0; round < 3; round++)
      await Promise.allSettled(
        [web.ctx, otherWeb.ctx, web.ctx, otherWeb.ctx].map(ctx => fireAlarm(ctx, { alarmId }))
      )
    expect((await fired()).length).toBe(n + 1)
    expect(await list()).toHaveLength(3 - n)
  }
  expect(failureCount).toBeGreaterThan(8)
  armFailpoints(() => undefined)
  const { ctx } = await startSecondServer()
  const reopened = await reopenSession(session.id, ctx)
  await expect.poll(() => isServerIdle(ctx.sql as Pool)).toBe(true)
  expect(reopened.events.filter(isFired)).toHaveLength(4)
  await expectValidSessions(ctx.sql as Pool)
})

test('001-20: the same call, run twice, sets one alarm', async () => {
  const { session, list, model, ctx, sql } = await sessionWithAlarms({
    script: [replyThenHold('Working'), replyText('Done.')]
  })
  await session.send('work')
  await session.waitForText('Working')
  const [lease] = await sql<Lease[]>`
    select session_key, epoch, owner as worker_id from heads where session_key = ${session.key}`
  const setOnce = () => setAlarm(ctx, lease as Lease, 'call_1', { wakeAtISO: minutes(5) })
  const [firstResult, secondResult] = await Promise.all([setOnce(), setOnce()])
  expect(await setOnce()).toEqual(firstResult)
  expect(secondResult).toEqual(firstResult)
  expect(await list()).toHaveLength(1)
  await expect(setAlarm(ctx, { ...lease, epoch: 0 } as Lease, 'call_2', {})).rejects.toThrow(LeaseLost)
  model.release()
})

test('001-20: the agent and users can list and cancel alarms, and followers see the change', async () => {
  const { session, uses, list, fired, advanceTime } = await sessionWithAlarms()
  const { alarmId } = await uses<{ alarmId: string }>('alarm-clock', hourly())
  const other = await uses<{ alarmId: string; nextAt: string }>('alarm-clock', { wakeAtISO: minutes(90) })
  expect(await uses('list-alarms', {})).toMatchObject({
    now: expect.stringMatching(/Z$/),
    alarms: [{ alarmId }, { alarmId: other.alarmId }]
  })
  expect(await uses('cancel-alarm', { alarmId })).toEqual({ alarmId })
  expect(await uses('cancel-alarm', { alarmId: 'alarm_none' })).toMatch(/no alarm "alarm_none"/)

  const params = { sessionId: session.id, alarmId: other.alarmId }
  const listResponse = await callEndpoint(alarmOperations.list, { params })
  expect(listResponse).toMatchObject({ status: 200, body: { alarms: [{ alarmId: other.alarmId }] } })
  expect(await callEndpoint(alarmOperations.cancel, { params })).toMatchObject({
    status: 200,
    body: { alarmId: other.alarmId }
  })
  expect(await callEndpoint(alarmOperations.cancel, { params })).toMatchObject({ status: 200 })
  const unknownAlarm = { ...params, alarmId: 'alarm_none' }
  expect(await callEndpoint(alarmOperations.cancel, { params: unknownAlarm })).toMatchObject({ status: 404 })
  const sessionEvents = (await session.log()).filter(
    ({ type }) => type === 'session'
  ) as SessionChangedEvent[]
  expect(sessionEvents.map(({ alarms }) => alarms?.open).filter(open => open !== undefined)).toEqual([
    1, 2, 1, 0
  ])
  expect(await list()).toEqual([])
  await advanceTime(7200)
  await session.runTurn('say Nothing came.')
  expect(await fired()).toEqual([])
})

test('001-20: an alarm that is cancelled at its due time is either cancelled or fired, never neither', async () => {
  const { session, uses, fired, advanceTime, ctx, sql } = await sessionWithAlarms()
  let cancelled = 0
  for (let round = 0; round < 6; round++) {
    const { alarmId } = await uses<{ alarmId: string }>('alarm-clock', { wakeAtISO: minutes(60) })
    await sql`update alarms set next_at = clock_timestamp() where id = ${alarmId}`
    const cancel = () => cancelAlarm(ctx, { sessionId: session.id, alarmId })
    const contenders =
      round % 2 === 0
        ? [cancel, () => fireAlarm(ctx, { alarmId })]
        : [() => fireAlarm(ctx, { alarmId }), cancel]
    const answers = await Promise.allSettled(contenders.map(contender => contender()))
    const winner = answers[round % 2]
    if (winner?.status === 'fulfilled') cancelled += 1
    else expect(winner?.reason).toMatchObject({ code: 'CONFLICT' })
    await expect.poll(() => isServerIdle(sql)).toBe(true)
    expect(await fired()).toHaveLength(round + 1 - cancelled)
  }
  await advanceTime(7200)
})

test('001-20: a session has at most fifty alarms, and the model learns what to do at that limit', async () => {
  const { session, uses, list } = await sessionWithAlarms()
  const commands = Array.from(
    { length: 51 },
    (_, n) => `use alarm-clock ${JSON.stringify({ wakeAtISO: minutes(60 + n) })}`
  )
  await session.runTurn(commands.join('\n'))
  expect(await list()).toHaveLength(50)
  const failedCalls = (await session.get()).calls.filter(({ state }) => state === 'failed')
  expect(failedCalls.map(({ errorText }) => errorText)).toEqual([expect.stringMatching(/50 .*cancel-alarm/)])
  const [first] = await list()
  await uses('cancel-alarm', { alarmId: first?.alarmId })
  expect(await uses('alarm-clock', { wakeAtISO: minutes(60) })).toMatchObject({ alarmId: expect.any(String) })
})

test('001-20: an invalid alarm gives a tool error that explains it', async () => {
  const { uses, list } = await sessionWithAlarms()
  for (const [input, expectedError] of [
    [{ wakeAtISO: '2020-01-01T00:00:00Z' }, '2020-01-01T00:00:00Z'],
    [{ cron: '0 9 * * *', timeZone: 'Mars/Base' }, '"Mars/Base"'],
    [{ cron: '0 0 30 2 *', timeZone: 'UTC' }, '"0 0 30 2 *"']
  ] as const)
    expect(await uses('alarm-clock', input)).toContain(expectedError)
  expect(await list()).toEqual([])
})

test('001-20: the alarms of a deleted session are deleted, and no other session can reach them', async () => {
  const { session, uses, advanceTime, ctx, actAs, sql } = await sessionWithAlarms()
  const { alarmId } = await uses<{ alarmId: string }>('alarm-clock', hourly())
  const sessionParams = { sessionId: session.id }
  await expect(listAlarms(actAs('Eve', 'other'), sessionParams)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(cancelAlarm(actAs('Eve', 'other'), { ...sessionParams, alarmId })).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
  await deleteSession(ctx, sessionParams)
  await createSession(ctx, { agentId: 'test', sessionId: session.id })
  expect((await listAlarms(ctx, sessionParams)).alarms).toEqual([])
  await advanceTime(3601)
  await fireAlarm(ctx, { alarmId })
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  expect((await sql`select from messages`).length).toBe(0)
})

test('001-20: an end user can list the alarms of their session, and cancel them with the send scope', async () => {
  const { session, uses } = await sessionWithAlarms()
  const { alarmId } = await uses<{ alarmId: string }>('alarm-clock', hourly())
  const params = { sessionId: session.id, alarmId }
  const tokenOf = async (...scopes: string[]) =>
    (await callEndpoint(tokenOperations.create, { params, body: { subject: 'eve', scopes } })).body
      .token as string
  const [reads, sends] = [await tokenOf('read'), await tokenOf('send')]
  expect((await callEndpoint(alarmOperations.list, { params }, reads)).status).toBe(200)
  expect((await callEndpoint(alarmOperations.cancel, { params }, reads)).status).toBe(403)
  expect((await callEndpoint(alarmOperations.cancel, { params }, sends)).status).toBe(200)
})

test('001-20: a session with a future alarm outlives its retention; one whose alarm was due but could not fire does not', async () => {
  const { session, uses, ctx, advanceTime, sql } = await sessionWithAlarms()
  await updateWorkspace(ctx, { retentionDays: 1 })
  await uses('alarm-clock', { wakeAtISO: minutes(60 * 24 * 30) })
  await sql`update sessions set active_at = active_at - interval '3 days'`
  await sql`update events set at = at - interval '3 days'`
  await expireSessions(ctx)
  expect((await session.get()).session.status).toBe('idle')
  await sql`update alarms set next_at = clock_timestamp()`
  await sql`delete from graphile_worker._private_jobs where key like 'alarm:%'`
  await expireSessions(ctx)
  await expect(session.get()).rejects.toMatchObject({ code: 'EXPIRED' })
  expect(await sql`select from alarms`).toHaveLength(0)
  await advanceTime(1)
})

/**
 * Returns a session whose model wakes every minute and calls a missing tool in each step, with this limit of
 * steps per turn.
 */
async function selfWakingSession(stepsPerTurn: number, settings = {}) {
  const server = await startTestServer({
    script: [set({ wakeAtISO: minutes(1), repeatIntervalMinutes: 1 }), replyText('Set.')],
    ...settings
  })
  await server.saveAgent({
    chat: { tools, limits: { stepsPerTurn, usdPerTurn: 0, contextTokens: 120_000 } }
  })
  const session = await server.startSession('test')
  await session.runTurn('wake every minute')
  server.model.setScript((_, index) => replyText(`Woken ${index}.`))
  const waitUntilIdle = () => expect.poll(() => isServerIdle(server.sql)).toBe(true)
  /** Makes the alarm due and waits until everything that follows is done. */
  const advanceAndWait = async (seconds = 61) => {
    await server.advanceTime(seconds)
    await enqueueOverdueAlarms(server.ctx)
    await expect
      .poll(
        async () =>
          (await server.sql`select from graphile_worker.jobs where run_at <= now() and key like '%alarm:%'`)
            .length
      )
      .toBe(0)
    await waitUntilIdle()
  }
  return { ...server, session, waitUntilIdle, advanceAndWait, ...actionsOf(session, server.ctx) }
}

test('001-20: an alarm does not renew the budget: at its end "continue?" is asked, and no alarm fires until a user agrees', async () => {
  const { session, model, list, fired, advanceAndWait, sql } = await selfWakingSession(4)
  // The user’s message has used two steps.
  await advanceAndWait()
  await advanceAndWait()
  expect(model.requests).toHaveLength(4)
  await advanceAndWait()
  const call = await session.waitForCall('continue')
  expect(call).toMatchObject({ kind: 'limit', input: { reason: expect.stringMatching(/\b4\b/) } })
  expect(await session.waitForEnd()).toMatchObject({ status: 'parked' })
  expect(await fired()).toHaveLength(3)
  for (let n = 0; n < 3; n++) await advanceAndWait()
  expect(model.requests).toHaveLength(4)
  expect(await fired()).toHaveLength(3)
  expect(await list()).toEqual([expect.objectContaining({ held: true })])
  expect((await session.get()).session.waitingFor).toHaveLength(1)

  await session.answer(call, { approved: true })
  await session.waitForEnd()
  // The prompt has the alarm that met the limit; the alarms held since then are combined into one message.
  expect(JSON.stringify(model.requests[4]?.body.messages).match(/Alarm Clock\]/g)).toHaveLength(3)
  await advanceAndWait()
  expect(await fired()).toHaveLength(4)
  await expectValidSessions(sql)
})

test('001-20: after a "no" alarms are held until a user writes', async () => {
  const { session, fired, model, advanceAndWait, waitUntilIdle, sql } = await selfWakingSession(3)
  await advanceAndWait()
  await advanceAndWait()
  await session.answer(await session.waitForCall('continue'), { approved: false })
  await waitUntilIdle()
  await advanceAndWait()
  expect(await fired()).toHaveLength(2)
  expect(model.requests).toHaveLength(3)
  await session.runTurn('go on, then')
  await waitUntilIdle()
  expect(JSON.stringify(model.requests[3]?.body.messages)).toContain('chose not to continue')
  await advanceAndWait()
  expect(await fired()).toHaveLength(3)
  await expectValidSessions(sql)
})

test('001-20: an alarm that waited behind the turn that reached the limit is held for the "yes", and starts nothing', async () => {
  const { session, model, fired, advanceTime, waitUntilIdle, list, sql } = await selfWakingSession(3)
  model.setScript([
    replyThenHold('Working'),
    replyCalls({ name: 'nothing', input: {} }),
    replyCalls({ name: 'nothing', input: {} }),
    replyCalls({ name: 'nothing', input: {} })
  ])
  await session.send('work')
  await session.waitForText('Working')
  await advanceTime(61)
  await expect.poll(async () => (await fired()).length).toBe(1)
  model.setScript((_, n) => replyCalls({ name: 'nothing', input: { n } }))
  model.release()
  await session.waitForCall('continue')
  await waitUntilIdle()
  expect(await list()).toHaveLength(1)
  expect((await session.get()).messages.filter(({ metadata }) => metadata?.queued !== undefined)).toEqual([])
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  await expectValidSessions(sql)
})

test('001-20: once a day an alarm has its own budget, as each message of a user has', async () => {
  const { session, model, fired, advanceAndWait } = await selfWakingSession(3)
  await advanceAndWait(86_401)
  for (let n = 0; n < 2; n++) await advanceAndWait()
  expect(model.requests).toHaveLength(5)
  expect(await fired()).toHaveLength(3)
  expect((await session.get()).session.waitingFor).toEqual([])
  await advanceAndWait()
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('001-20: an alarm at a spending cap asks "continue?", and does not answer that question', async () => {
  const { session, model, ctx, fired, advanceAndWait, sql } = await selfWakingSession(25)
  await updateWorkspace(ctx, { spendCaps: { sessionPerDay: 0.01 } })
  await sql`
    insert into spending (workspace_id, session_key, day, generation, usd)
    values ('default', ${session.key}, (clock_timestamp() at time zone 'UTC')::date, 0, 1)
    on conflict (workspace_id, session_key, day, generation) do update set usd = 1`
  await advanceAndWait()
  const call = await session.waitForCall('continue')
  expect(call).toMatchObject({ input: { reason: expect.stringContaining('$') } })
  expect(model.requests).toHaveLength(2)
  await advanceAndWait()
  expect(await fired()).toHaveLength(1)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  expect(await sql`select from spend_grants`).toHaveLength(0)
})

test('001-20: a turn that failed before it consumed input is retried by users, not by the next alarm', async () => {
  const { session, fired, advanceAndWait, sql, ctx } = await selfWakingSession(25)
  await sql`delete from agents where id = 'test'`
  await advanceAndWait()
  expect((await session.get()).session.status).toBe('failed')
  const turnEnds = (await session.log()).filter(
    event => event.type === 'status' && event.outcome === 'failed'
  ).length
  await advanceAndWait()
  await advanceAndWait()
  expect(await fired()).toHaveLength(1)
  expect(
    (await session.log()).filter(event => event.type === 'status' && event.outcome === 'failed')
  ).toHaveLength(turnEnds)
  expect((await listAlarms(ctx, { sessionId: session.id })).alarms).toHaveLength(1)
})

test('001-20: a user who has written in the session cannot approve the calls of an alarm if the policy excludes the asker', async () => {
  const fetchCall = { name: 'web-fetch', input: { url: 'https://example.com' } }
  const { saveAgent, session, ctx, advanceTime, actAs } = await sessionWithAlarms({
    script: [set({ wakeAtISO: minutes(5) }), replyText('Set.'), replyText('Hello.'), replyCalls(fetchCall)]
  })
  await saveAgent({
    chat: { tools: [...tools, { name: 'web-fetch', approval: 'ask', answer: { notAsker: true } }] }
  })
  await session.runTurn('fetch it in five minutes')
  const before = session.waitForNextEvent(event => event.type === 'status' && event.outcome !== undefined)
  await sendMessage(actAs('Bob'), { sessionId: session.id, text: 'hi', whenBusy: 'queue' })
  await before
  await advanceTime(301)
  const call = await session.waitForCall('web-fetch')
  expect(call.answerers?.askers?.map(({ name }) => name)).toEqual(['Ann', 'Bob'])
  await expect(session.answer(call, { approved: true }, ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await session.answer(call, { approved: false }, actAs('Cem'))
})
