import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const hour = 3600
/** The test starts a process, which takes up to half a minute on a busy machine. */
const timeoutMs = 180_000
const day = 24 * hour
const question = { name: 'ask-question', input: { question: 'Tea?' } }
const isFirst = ({ body }: ModelRequest) => body.messages.at(-1)?.role === 'user'

/**
 * Starts a server process whose clock is wrong by this many seconds. It is the only one that runs jobs, and the
 * test calls it over HTTP.
 */
async function startSkewed({ databaseUrl, env }: TestServer, seconds: number) {
  const child = spawn(process.execPath, ['tests/engine/calls/skewed-server.ts'], {
    env: {
      PATH: process.env.PATH,
      TZ: 'UTC',
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: join(tmpdir(), 'waystation-compile-cache'),
      NODE_NO_WARNINGS: '1',
      SKEW_SECONDS: String(seconds),
      DATABASE_URL: databaseUrl(),
      WAYSTATION_API_KEY: 'the-admin-key-of-every-test',
      AUTH_SECRET: env.authSecret,
      WAYSTATION_VAULT_KEY: env.vaultKeys.join(','),
      OPENAI_BASE_URL: env.environment.OPENAI_BASE_URL,
      OPENAI_API_KEY: 'none'
    },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const [ready] = await Promise.race([once(child.stdout, 'data'), exited])
  const [address, clock = ''] = String(ready).trim().split(' ')
  return {
    /** The error of its clock, in seconds. */
    skew: (Date.parse(clock) - Date.now()) / 1000,
    async post(path: string, body: object) {
      const response = await fetch(`${address}/api/sessions/${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer the-admin-key-of-every-test', 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
  }
}

/** Returns sessions in which the skewed server opened a question. */
async function openSessions(seconds: number, count: number) {
  const server = await startTestServer({
    script: request => (isFirst(request) ? replyCalls(question) : replyText('Then not.')),
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const skewed = await startSkewed(server, seconds)
  const openSession = async (n: number) => {
    const { sessionId } = await createSession(server.ctx, { agentId: 'guide', sessionId: `s${n}` })
    const session = await server.reopenSession(sessionId)
    await skewed.post(`${sessionId}/messages`, { text: 'offer' })
    return { session, call: await session.waitForCall('ask-question') }
  }
  const waiting = await Promise.all(Array.from({ length: count }, (_, n) => openSession(n)))
  return { ...server, skewed, waiting }
}

const callPath = (
  session: TestSession,
  { toolCallId }: Pick<Call, 'toolCallId'>,
  action: 'answer' | 'extend'
) => `${session.id}/calls/${toolCallId}/${action}`
const answer = { output: { answer: 'yes' } }

/**
 * Returns times by the database clock, in seconds: the age of a call, its wait, how late it settled, and when
 * it was warned.
 */
const timesOf = async ({ sql }: TestServer, { toolCallId }: Pick<Call, 'toolCallId'>) => {
  const [row] = await sql<
    { open: number; wait: number; late: number; warnedAt: number | null; state: string }[]
  >`
    select state, extract(epoch from clock_timestamp() - since)::float8 as open, extract(epoch from deadline - since)::float8 as wait,
      extract(epoch from settled_at - deadline)::float8 as late,
      extract(epoch from warned_at - since)::float8 / extract(epoch from deadline - since)::float8 as warned_at
    from calls where tool_call_id = ${toolCallId}`
  if (row === undefined) throw new Error('There is no such call.')
  return row
}

type SkewedSessions = Awaited<ReturnType<typeof openSessions>>

/** Expects that calls settle and warn at the time of the database clock, and never earlier. */
async function expectDeadlinesOnTime({ skewed, waiting, ...server }: SkewedSessions) {
  for (const { call } of waiting) {
    const { open: openSession, wait } = await timesOf(server, call)
    expect(wait).toBeCloseTo(7 * day, 3)
    expect(openSession).toBeGreaterThan(0)
    expect(openSession).toBeLessThan(60)
  }
  await Promise.all(
    waiting.map(async ({ session, call }, n) => {
      const extension = { seconds: 3 + (n % 3) }
      const { status } = await skewed.post(callPath(session, call, 'extend'), extension)
      expect(status).toBe(200)
      const { open: openSession, wait } = await timesOf(server, call)
      expect(openSession + extension.seconds - wait).toBeGreaterThanOrEqual(0)
      expect(openSession + extension.seconds - wait).toBeLessThan(60)
    })
  )
  let warnedCount = 0
  for (const { session, call } of waiting) {
    expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired', via: 'deadline' })
    const { late, wait, warnedAt } = await timesOf(server, call)
    expect(late).toBeGreaterThanOrEqual(0)
    // A clock error of three hours would show. `tests/long/deadlines.test.ts` measures the seconds.
    expect(late).toBeLessThan(60)
    if (warnedAt !== null) {
      expect(warnedAt).toBeGreaterThanOrEqual(0.8 - 0.001 / wait)
      warnedCount++
    }
    await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  }
  expect(warnedCount).toBeGreaterThan(0)
  await expectValidSessions(server.sql)
}

/**
 * Expects that calls can be answered and extended while they are open by the database clock, and not once they
 * are due.
 */
async function expectAnswersOnTime({ skewed, waiting, ...server }: SkewedSessions) {
  const [answerable, dueCall, extendable, untouched] = waiting
  if (!answerable || !dueCall || !extendable || !untouched) throw new Error('Four sessions wait.')
  for (const { session, call } of [answerable, extendable])
    await skewed.post(callPath(session, call, 'extend'), { seconds: 60 })
  expect(await skewed.post(callPath(answerable.session, answerable.call, 'answer'), answer)).toMatchObject({
    status: 200,
    body: { state: 'answered' }
  })

  // The times that users see come from the database too.
  await skewed.post(`${answerable.session.id}/oob`, { content: 'News.' })
  const { messages, outOfBand } = await answerable.session.get()
  for (const time of [messages[0]?.metadata?.createdAt, outOfBand[0]?.queuedAt])
    expect(Math.abs(Date.parse(`${time}`) - Date.now())).toBeLessThan(60_000)

  await server.sql`update calls set deadline = clock_timestamp() where tool_call_id = ${dueCall.call.toolCallId}`
  expect(await skewed.post(callPath(dueCall.session, dueCall.call, 'answer'), answer)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_SETTLED', winner: { state: 'expired', answeredBy: 'the deadline' } }
  })

  // This time is past for a process whose clock is ahead, and in the future for one whose clock is behind.
  const inAnHour = new Date(Date.now() + hour * 1000).toISOString()
  const anHourAgo = new Date(Date.now() - hour * 1000).toISOString()
  expect(
    await skewed.post(callPath(extendable.session, extendable.call, 'extend'), { until: inAnHour })
  ).toMatchObject({
    status: 200,
    body: { deadline: inAnHour }
  })
  expect(
    await skewed.post(callPath(extendable.session, extendable.call, 'extend'), { until: anHourAgo })
  ).toMatchObject({
    status: 422
  })
  for (const extension of [{ until: '2999-01-01T00:00:00Z' }, { seconds: 30 * day }]) {
    await skewed.post(callPath(untouched.session, untouched.call, 'extend'), extension)
    expect((await timesOf(server, untouched.call)).wait).toBeCloseTo(30 * day, 3)
  }

  // A wake-up from any source settles nothing before its time and sends no early warning.
  for (const { session, call } of [extendable, untouched]) {
    const payload = { sessionKey: session.key, toolCallId: call.toolCallId }
    await server.sql`select graphile_worker.add_job('deadline', ${payload}::json)`
  }
  await server.sql`select graphile_worker.add_job('meet-late-deadlines')`
  await expect
    .poll(async () => (await server.sql`select from graphile_worker.jobs where run_at <= now()`).length)
    .toBe(0)
  for (const { call } of [extendable, untouched])
    expect(await timesOf(server, call)).toMatchObject({ state: 'open', warnedAt: null })
}

test.each([
  ['ahead', 3 * hour],
  ['behind', -3 * hour]
] as const)(
  'a process whose clock is three hours %s uses the database clock for deadlines, warnings, answers and extensions',
  async (_, seconds) => {
    const sessions = await openSessions(seconds, 12)
    expect(Math.abs(sessions.skewed.skew - seconds)).toBeLessThan(60)
    await expectAnswersOnTime({ ...sessions, waiting: sessions.waiting.slice(0, 4) })
    await expectDeadlinesOnTime({ ...sessions, waiting: sessions.waiting.slice(4) })
  },
  timeoutMs
)
