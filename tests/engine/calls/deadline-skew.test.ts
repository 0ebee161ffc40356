import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Call } from '#lib/protocol/call/call.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { type TestSession, type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

const hour = 3600
/** A process is started in between, which takes a full machine half a minute. */
const patience = 180_000
const day = 24 * hour
const question = { name: 'ask-question', input: { question: 'Tea?' } }
const isFirst = ({ body }: ModelRequest) => body.messages.at(-1)?.role === 'user'

/** A server of its own, the only one that takes jobs, whose clock is wrong by so many seconds; asked over HTTP. */
async function startSkewed({ databaseUrl, env }: TestWorld, seconds: number) {
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
      OPENAI_BASE_URL: env.openai?.baseUrl,
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
    /** How wrong its clock is, in seconds. */
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

/** Sessions that a skewed server has brought to their question: it opened the calls. */
async function asked(seconds: number, count: number) {
  const world = await testWorld({
    script: request => (isFirst(request) ? calls(question) : says('Then not.')),
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const skewed = await startSkewed(world, seconds)
  const open = async (n: number) => {
    const { sessionId } = await createSession(world.ctx, { agentId: 'guide', sessionId: `s${n}` })
    const session = await world.reopen(sessionId)
    await skewed.post(`${sessionId}/messages`, { text: 'offer' })
    return { session, call: await session.waitsFor('ask-question') }
  }
  const waiting = await Promise.all(Array.from({ length: count }, (_, n) => open(n)))
  return { ...world, skewed, waiting }
}

const at = (session: TestSession, { toolCallId }: Pick<Call, 'toolCallId'>, verb: 'answer' | 'extend') =>
  `${session.id}/calls/${toolCallId}/${verb}`
const answer = { output: { answer: 'yes' } }

/** By the database, in seconds: since a call was opened, and how long before its deadline, settled and warned of. */
const timesOf = async ({ sql }: TestWorld, { toolCallId }: Pick<Call, 'toolCallId'>) => {
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

type Asked = Awaited<ReturnType<typeof asked>>

/** A deadline is met at the time that the database says, and never before; so is its warning. */
async function expectDeadlinesOnTime({ skewed, waiting, ...world }: Asked) {
  for (const { call } of waiting) {
    const { open, wait } = await timesOf(world, call)
    expect(wait).toBeCloseTo(7 * day, 3)
    expect(open).toBeGreaterThan(0)
    expect(open).toBeLessThan(60)
  }
  await Promise.all(
    waiting.map(async ({ session, call }, n) => {
      const asks = { seconds: 3 + (n % 3) }
      const { status } = await skewed.post(at(session, call, 'extend'), asks)
      expect(status).toBe(200)
      const { open, wait } = await timesOf(world, call)
      expect(open + asks.seconds - wait).toBeGreaterThanOrEqual(0)
      expect(open + asks.seconds - wait).toBeLessThan(60)
    })
  )
  let warned = 0
  for (const { session, call } of waiting) {
    expect(await session.settles(call)).toMatchObject({ state: 'expired', via: 'deadline' })
    const { late, wait, warnedAt } = await timesOf(world, call)
    expect(late).toBeGreaterThanOrEqual(0)
    // A clock that is three hours wrong would show. `tests/long/deadlines.test.ts` measures the seconds.
    expect(late).toBeLessThan(60)
    if (warnedAt !== null) {
      expect(warnedAt).toBeGreaterThanOrEqual(0.8 - 0.001 / wait)
      warned++
    }
    await session.sees(event => event.type === 'status' && event.outcome === 'done')
  }
  expect(warned).toBeGreaterThan(0)
  await expectSoundSessions(world.sql)
}

/** What is open by the database's clock can be answered and extended, what is due cannot. */
async function expectAnswersOnTime({ skewed, waiting, ...world }: Asked) {
  const [early, due, longer, later] = waiting
  if (!early || !due || !longer || !later) throw new Error('Four sessions wait.')
  for (const { session, call } of [early, longer])
    await skewed.post(at(session, call, 'extend'), { seconds: 60 })
  expect(await skewed.post(at(early.session, early.call, 'answer'), answer)).toMatchObject({
    status: 200,
    body: { state: 'answered' }
  })

  // What people see of the time is the database's too.
  await skewed.post(`${early.session.id}/oob`, { content: 'News.' })
  const { messages, outOfBand } = await early.session.get()
  for (const time of [messages[0]?.metadata?.createdAt, outOfBand[0]?.queuedAt])
    expect(Math.abs(Date.parse(`${time}`) - Date.now())).toBeLessThan(60_000)

  await world.sql`update calls set deadline = clock_timestamp() where tool_call_id = ${due.call.toolCallId}`
  expect(await skewed.post(at(due.session, due.call, 'answer'), answer)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_SETTLED', winner: { state: 'expired', answeredBy: 'the deadline' } }
  })

  // Ahead of the database it is past for this process, behind it is to come.
  const soon = new Date(Date.now() + hour * 1000).toISOString()
  const past = new Date(Date.now() - hour * 1000).toISOString()
  expect(await skewed.post(at(longer.session, longer.call, 'extend'), { until: soon })).toMatchObject({
    status: 200,
    body: { deadline: soon }
  })
  expect(await skewed.post(at(longer.session, longer.call, 'extend'), { until: past })).toMatchObject({
    status: 422
  })
  for (const asks of [{ until: '2999-01-01T00:00:00Z' }, { seconds: 30 * day }]) {
    await skewed.post(at(later.session, later.call, 'extend'), asks)
    expect((await timesOf(world, later.call)).wait).toBeCloseTo(30 * day, 3)
  }

  // Rung for by every bell there is, it settles nothing before its time, and warns of nothing.
  for (const { session, call } of [longer, later]) {
    const payload = { sessionKey: session.key, toolCallId: call.toolCallId }
    await world.sql`select graphile_worker.add_job('deadline', ${payload}::json)`
  }
  await world.sql`select graphile_worker.add_job('meet-late-deadlines')`
  await expect
    .poll(async () => (await world.sql`select from graphile_worker.jobs where run_at <= now()`).length, {
      timeout: 10_000
    })
    .toBe(0)
  for (const { call } of [longer, later])
    expect(await timesOf(world, call)).toMatchObject({ state: 'open', warnedAt: null })
}

test.each([
  ['ahead', 3 * hour],
  ['behind', -3 * hour]
] as const)(
  'a process whose clock is three hours %s goes by the clock of the database: for deadlines and their warnings, and for what can be answered or extended',
  async (_, seconds) => {
    const all = await asked(seconds, 12)
    expect(Math.abs(all.skewed.skew - seconds)).toBeLessThan(60)
    await expectAnswersOnTime({ ...all, waiting: all.waiting.slice(0, 4) })
    await expectDeadlinesOnTime({ ...all, waiting: all.waiting.slice(4) })
  },
  patience
)
