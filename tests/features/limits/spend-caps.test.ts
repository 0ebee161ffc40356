import type { Call } from '@waystation/protocol/call/call.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import type { UpdateWorkspace } from '@waystation/protocol/workspace/workspace.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import type { Ctx, Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import {
  type Reply,
  replyCalls,
  replyError,
  replyFiltered,
  replyText,
  replyThenCut,
  replyThenError,
  replyThenHold
} from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const dollar = { input: 1000, output: 0 }
/** A step that costs one US dollar and produces text; `toolStep` is one that leads to the next step. */
const talkStep = replyText('Done.', { tokens: dollar })
const toolStep = (_: unknown, n: number) =>
  ({ ...replyCalls({ name: 'nothing', input: { n } }), tokens: dollar }) as Reply

type Caps = NonNullable<UpdateWorkspace['spendCaps']>

/** Returns a server with an agent whose every step costs one US dollar, in a workspace with these caps. */
async function startServerWithCaps(
  caps: Caps = {},
  { chat = {}, settings = {} }: { chat?: object; settings?: Record<string, string> } = {}
) {
  const server = await startTestServer({ script: () => talkStep, settings })
  await server.saveAgent({
    chat: {
      price: { inputPerMillion: 1000, outputPerMillion: 0 },
      limits: { stepsPerTurn: 25, usdPerTurn: 0, contextTokens: 120_000 },
      ...chat
    }
  })
  const set = (spendCaps: Caps) => updateWorkspace(server.ctx, { spendCaps })
  await set(caps)
  const open = async (sessionId: string, subject?: string) => {
    await createSession(server.ctx, { agentId: 'test', sessionId, ...(subject && { subject }) })
    return server.reopenSession(sessionId)
  }
  const grants = () => server.sql<{ scope: string; about: string; usd: number; grantedBy: string }[]>`
    select scope, about, usd, granted_by from spend_grants order by granted_at`
  return {
    ...server,
    set,
    open,
    grants,
    waitUntilIdle: () => expect.poll(() => isServerIdle(server.sql)).toBe(true)
  }
}

const member = (role: Role): Ctx =>
  ctxFor({ kind: 'person', userId: role, name: `The ${role}`, role, workspaceId: 'default' })

/** Creates an end user’s token for this session, and returns functions that call its endpoints. */
async function endUserOf({ id }: TestSession, subject = 'eve') {
  const params = { sessionId: id }
  const body = { subject, scopes: ['read', 'send', 'answer'] }
  const { token } = (await callEndpoint(tokenOperations.create, { params, body })).body as { token: string }
  return {
    sends: (text: string) => callEndpoint(sessionOperations.send, { params, body: { text } }, token),
    answers: ({ toolCallId }: Call, body: object) =>
      callEndpoint(callOperations.answer, { params: { ...params, toolCallId }, body }, token),
    async chats(text: string) {
      const messages = [{ id: text, role: 'user', parts: [{ type: 'text', text }] }]
      const headers = { authorization: `Bearer ${token}` }
      const sent = { id, messages, trigger: 'submit-message' }
      return (await requestEndpoint(chatOperations.post, { body: sent, headers })).text()
    },
    cancels: ({ toolCallId }: Call) =>
      callEndpoint(callOperations.cancel, { params: { ...params, toolCallId } }, token)
  }
}

const sendAs = (ctx: Ctx, { id }: TestSession, text: string) =>
  sendMessage(ctx, SendMessage.parse({ sessionId: id, text }))

/** Moves all spending, grants and open questions to the previous day or month. */
async function moveToPrevious({ sql, advanceTime }: TestServer, unit: 'day' | 'month') {
  const step = unit === 'day' ? sql`interval '1 day'` : sql`interval '1 month'`
  await sql`update spending set day = (day - ${step})::date`
  await sql`update spend_grants set period = (period - ${step})::date`
  await sql`update calls set cap = jsonb_set(cap, '{period}', to_jsonb(((cap ->> 'period')::date - ${step})::date::text)) where cap is not null`
  await advanceTime(32 * 86_400)
}

const midnight = () => new Date().setUTCHours(24, 0, 0, 0)

test('a session at its daily cap starts no step and asks: the question has the cap, the spending and the end of the period', async () => {
  const { sql, model, open, set, grants } = await startServerWithCaps({ sessionPerDay: 2 })
  const session = await open('s')
  model.setScript(toolStep)
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'parked', status: 'parked' })
  expect(model.requests).toHaveLength(2)
  const call = await session.waitForCall('continue')
  expect(call).toMatchObject({
    kind: 'limit',
    where: 'approver',
    onDeadline: 'declined',
    answerers: { roles: ['owner', 'editor', 'operator'], links: false },
    input: {
      reason: expect.stringMatching(/\$2\.00.*\$2\.00.*00:00.*\$2\.00/)
    }
  })
  expect(Math.abs(Date.parse(call.deadline) - midnight())).toBeLessThan(2000)

  const parked = session.waitForEnd()
  await session.answer(call, { approved: true }, member('operator'))
  expect(await parked).toMatchObject({ outcome: 'parked' })
  expect(model.requests).toHaveLength(4)
  expect(await grants()).toMatchObject([{ scope: 'session', usd: 2, grantedBy: 'The operator' }])
  const second = await session.waitForCall('continue')
  expect(second.input).toMatchObject({ reason: expect.stringMatching(/\$4\.00.*\$4\.00/) })

  // After a cap is lowered below the spending, one approval is still enough.
  await set({ sessionPerDay: 1 })
  await session.answer(second, { approved: false })
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await session.runTurn('go')
  const third = await session.waitForCall('continue')
  expect(third.input).toMatchObject({ reason: expect.stringMatching(/\$2\.00\?$/) })
  const turnEnd = session.waitForEnd()
  await session.answer(third, { approved: true })
  await turnEnd
  expect(model.requests).toHaveLength(5)
  await expectValidSessions(sql)
})

test('a session token cannot lift a cap, neither by an answer nor by a message, which waits until a member continues', async () => {
  const { sql, model, open, grants, waitUntilIdle } = await startServerWithCaps({ sessionPerDay: 1 })
  const session = await open('s')
  const endUser = await endUserOf(session)
  await session.runTurn('one')
  expect((await endUser.sends('two')).status).toBe(202)
  const call = await session.waitForCall('continue')
  await waitUntilIdle()
  for (const reply of [
    await endUser.answers(call, { approved: true }),
    await endUser.answers(call, { approved: false }),
    await endUser.cancels(call)
  ]) {
    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'FORBIDDEN'
      }
    })
  }
  expect((await endUser.sends('three')).status).toBe(202)
  await waitUntilIdle()
  expect(model.requests).toHaveLength(1)
  expect(await grants()).toEqual([])
  const { messages, session: sessionView } = await session.get()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  expect(sessionView).toMatchObject({ status: 'parked', waitingFor: [{ toolCallId: call.toolCallId }] })

  await session.answer(call, { approved: true }, member('operator'))
  await expect.poll(() => model.requests.length).toBe(2)
  await waitUntilIdle()
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/one.*two.*three/)
  expect((await session.get()).session).toMatchObject({ status: 'idle', waitingFor: [] })
  expect(await grants()).toHaveLength(1)
  await expectValidSessions(sql)
})

test('the first message of a session can be held: it is shown before "continue?", and the same turn answers it', async () => {
  const { sql, model, open, waitUntilIdle } = await startServerWithCaps({ subjectPerDay: 1 })
  const first = await open('first', 'ada')
  await first.runTurn('one')
  const session = await open('second', 'ada')
  const endUser = await endUserOf(session, 'ada')
  await endUser.sends('two')
  const call = await session.waitForCall('continue')
  await waitUntilIdle()
  expect(call.input).toEqual({
    reason: expect.stringMatching(/ada .*\$1\.00.*\$1\.00.*00:00.*\$1\.00/)
  })
  expect(model.requests).toHaveLength(1)
  await session.answer(call, { approved: true })
  await session.waitForText('Done.')
  await waitUntilIdle()
  const { messages } = await session.get()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(messages[1]).toMatchObject({ id: call.messageId })
  await expectValidSessions(sql)
})

test('a member’s message continues like an approval; one of a role that cannot continue is held', async () => {
  const { sql, model, open, grants, waitUntilIdle } = await startServerWithCaps({ workspacePerMonth: 1 })
  const session = await open('s')
  await sendAs(member('operator'), session, 'one')
  await session.waitForText('Done.')
  await waitUntilIdle()
  await sendAs(member('operator'), session, 'two')
  const call = await session.waitForCall('continue')
  await waitUntilIdle()
  expect(call).toMatchObject({ answerers: { roles: ['owner', 'editor'], links: false } })
  expect(call.input).toMatchObject({
    reason: expect.stringMatching(/\$1\.00.*\$1\.00.*00:00.*\$1\.00/)
  })
  const listMine = async (role: Role) => (await listPendingCalls(member(role), { mine: true })).calls.length
  expect([await listMine('editor'), await listMine('operator')]).toEqual([1, 0])
  await expect(session.answer(call, { approved: true }, member('operator'))).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await sendAs(member('operator'), session, 'three')
  await waitUntilIdle()
  expect(model.requests).toHaveLength(1)
  await sendAs(member('editor'), session, 'four')
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'approved',
    via: 'message',
    answeredBy: 'The editor'
  })
  await waitUntilIdle()
  expect(model.requests).toHaveLength(2)
  expect(await grants()).toMatchObject([{ scope: 'workspace', about: '', usd: 1, grantedBy: 'The editor' }])
  await expectValidSessions(sql)
})

test('an end user’s cap covers all sessions of that subject and no others; one approval applies to all of them', async () => {
  const { sql, model, open, grants, waitUntilIdle } = await startServerWithCaps({ subjectPerDay: 2 })
  const [session1, session2] = [await open('one', 'ada'), await open('two', 'ada')]
  await session1.runTurn('first')
  await session2.runTurn('second')
  await session1.runTurn('third')
  await session2.runTurn('fourth')
  expect(model.requests).toHaveLength(2)
  const bob = await open('three', 'bob')
  const unnamedSession = await open('four')
  expect(await bob.runTurn('hello')).toMatchObject({ outcome: 'done' })
  expect(await unnamedSession.runTurn('hello')).toMatchObject({ outcome: 'done' })

  await Promise.all(
    [session1, session2].map(async session =>
      session.answer(await session.waitForCall('continue'), { approved: true })
    )
  )
  await expect.poll(() => model.requests.length).toBe(6)
  await waitUntilIdle()
  expect(await grants()).toMatchObject([{ scope: 'subject', about: 'ada', usd: 2 }])
  expect(await session1.runTurn('fifth')).toMatchObject({ outcome: 'parked' })
  await expectValidSessions(sql)
})

test('when a cap is lifted in one session, the question in another is cancelled, and its next message continues', async () => {
  const { sql, model, open, set } = await startServerWithCaps({ subjectPerDay: 1 })
  const [session1, session2] = [await open('one', 'ada'), await open('two', 'ada')]
  const endUser = await endUserOf(session2, 'ada')
  await session1.runTurn('first')
  await session1.runTurn('second')
  await session2.runTurn('third')
  const secondCall = await session2.waitForCall('continue')
  await set({ subjectPerDay: 9 })
  model.setScript([toolStep(0, 0), talkStep])
  const ended = session2.waitForEnd()
  await endUser.sends('fourth')
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(model.requests).toHaveLength(3)
  expect(await session2.waitForSettled(secondCall)).toMatchObject({ state: 'cancelled', via: 'server' })
  await expectValidSessions(sql)
})

test('a workspace’s cap covers all its sessions; an end user who reads the session does not see the amount', async () => {
  const { open, sql } = await startServerWithCaps({ workspacePerMonth: 2 })
  const [session1, session2] = [await open('one', 'ada'), await open('two')]
  await session1.runTurn('first')
  await session2.runTurn('second')
  expect(await session1.runTurn('third')).toMatchObject({ outcome: 'parked' })
  expect(await session2.runTurn('fourth')).toMatchObject({ outcome: 'parked' })
  const reasonIn = async (session: TestSession) =>
    ((await session.waitForCall('continue')).input as { reason: string }).reason
  expect(await reasonIn(session1)).toMatch(/^[^$]*00:00[^$]*\?$/)
  expect(await reasonIn(session2)).toMatch(/\$2\.00.*\$2\.00/)
  expect(JSON.stringify(await session1.get())).not.toContain('"cap"')
  await expectValidSessions(sql)
})

test('deleting a session refunds nothing to its ID, its subject or the workspace', async () => {
  const { ctx, sql, open } = await startServerWithCaps({ sessionPerDay: 1 })
  const session = await open('s', 'ada')
  await session.runTurn('one')
  await deleteSession(ctx, { sessionId: 's' })
  await createSession(ctx, { agentId: 'test', sessionId: 's', subject: 'bob' })
  expect(await (await open('s')).runTurn('two')).toMatchObject({ outcome: 'parked' })

  await updateWorkspace(ctx, { spendCaps: { subjectPerDay: 1 } })
  expect(await (await open('t', 'ada')).runTurn('hello')).toMatchObject({ outcome: 'parked' })
  expect(await (await open('u', 'bob')).runTurn('hello')).toMatchObject({ outcome: 'done' })
  await updateWorkspace(ctx, { spendCaps: { workspacePerMonth: 2 } })
  expect(await (await open('v')).runTurn('hello')).toMatchObject({ outcome: 'parked' })
  expect(await sql`select from spending`).toHaveLength(2)
})

test('a new day lifts the cap: the question expires, and an end user’s next message continues', async () => {
  const server = await startServerWithCaps({ sessionPerDay: 1 })
  const { sql, model, open, grants, waitUntilIdle } = server
  const session = await open('s')
  const endUser = await endUserOf(session)
  await session.runTurn('one')
  await endUser.sends('two')
  const call = await session.waitForCall('continue')
  await session.answer(call, { approved: true })
  await expect.poll(() => model.requests.length).toBe(2)
  await waitUntilIdle()
  await endUser.sends('three')
  const second = await session.waitForCall('continue')
  await waitUntilIdle()

  await moveToPrevious(server, 'day')
  expect(await session.waitForSettled(second)).toMatchObject({ state: 'expired' })
  await waitUntilIdle()
  expect(model.requests).toHaveLength(2)
  const newToken = await endUserOf(session)
  model.setScript([talkStep])
  const ended = session.waitForEnd()
  await newToken.sends('four')
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(JSON.stringify(model.requests[2]?.body.messages)).toMatch(/three.*the request to continue expired/)
  // An approval is valid only for its own day.
  expect(await session.runTurn('five')).toMatchObject({ outcome: 'parked' })
  expect(await grants()).toHaveLength(1)
  await expectValidSessions(sql)
})

test('a workspace’s cap is monthly: spending of yesterday counts, and that of last month does not', async () => {
  const server = await startServerWithCaps({ workspacePerMonth: 2 })
  const { sql, open } = server
  await (await open('one')).runTurn('first')
  await sql`
    insert into spending (workspace_id, session_key, day, generation, usd)
    select 'default', 999, date_trunc('month', now() at time zone 'UTC')::date, 1, 1`
  const session2 = await open('two')
  expect(await session2.runTurn('second')).toMatchObject({ outcome: 'parked' })
  await moveToPrevious(server, 'month')
  expect(await (await open('three')).runTurn('third')).toMatchObject({ outcome: 'done' })
})

test('two sessions at the cap at once exceed it by at most one step each', async () => {
  const { sql, model, open } = await startServerWithCaps({ workspacePerMonth: 5 })
  const sessions = [await open('one'), await open('two')]
  model.setScript(toolStep)
  await Promise.all(sessions.map(session => session.runTurn('go')))
  const [{ spent: spentRow } = { spent: 0 }] = await sql<
    { spent: number }[]
  >`select sum(usd)::float8 as spent from spending`
  expect(spentRow).toBeGreaterThanOrEqual(5)
  expect(spentRow).toBeLessThan(7)
  expect(model.requests).toHaveLength(spentRow)
})

test('two simultaneous approvals allow more spending once', async () => {
  const { open, grants } = await startServerWithCaps({ sessionPerDay: 1 })
  const session = await open('s')
  await session.runTurn('one')
  await session.runTurn('two')
  const call = await session.waitForCall('continue')
  const answers = await Promise.allSettled(
    ['a', 'b', 'c'].map(reason => session.answer(call, { approved: true, reason }, member('owner')))
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await session.waitForSettled(call)
  expect(await grants()).toHaveLength(1)
})

test('after a denial the session rests; a message asks again, and "retry now" cannot bypass the cap', async () => {
  const { ctx, sql, model, open, grants, waitUntilIdle } = await startServerWithCaps({ sessionPerDay: 1 })
  const session = await open('s')
  await session.runTurn('one')
  await session.runTurn('two')
  await session.answer(await session.waitForCall('continue'), { approved: false })
  await waitUntilIdle()
  expect((await session.get()).session).toMatchObject({ status: 'idle', waitingFor: [] })
  expect(await session.runTurn('three')).toMatchObject({ outcome: 'parked' })
  model.setScript([replyError(401), talkStep])
  await session.answer(await session.waitForCall('continue'), { approved: true })
  await expect.poll(async () => (await session.get()).session.status).toBe('failed')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/two.*chose not to continue.*three/)
  await sql`update spending set usd = usd + 5`
  await retryTurn(ctx, { sessionId: 's' })
  const call = await session.waitForCall('continue')
  await waitUntilIdle()
  expect(model.requests).toHaveLength(2)
  await session.answer(call, { approved: true })
  await session.waitForText('Done.')
  await expect.poll(() => model.requests.length).toBe(3)
  await waitUntilIdle()
  expect(await grants()).toMatchObject([{ usd: 1 }, { usd: 5 }])
  await expectValidSessions(sql)
})

test('without a cap a step does not query the ledger, and a free step is not recorded', async () => {
  const { sql, open, startSession } = await startServerWithCaps()
  await sql`alter table spend_grants rename to elsewhere`
  expect(await (await open('s')).runTurn('one')).toMatchObject({ outcome: 'done' })
  await sql`update agents set config = jsonb_set(config, '{chat,price,inputPerMillion}', '0') where id = 'test'`
  expect(await (await startSession('test')).runTurn('two')).toMatchObject({ outcome: 'done' })
  expect(await sql`select usd from spending`).toEqual([{ usd: 1 }])
})

test('a stock client whose message is held gets a response: its stream ends', async () => {
  const { open, waitUntilIdle } = await startServerWithCaps({ sessionPerDay: 1 })
  const session = await open('s')
  const endUser = await endUserOf(session)
  await session.runTurn('one')
  expect(await endUser.chats('two')).toMatch(/"toolName":"continue".*tool-approval-request.*\[DONE\]/s)
  await waitUntilIdle()
  expect(await endUser.chats('three')).toContain('[DONE]')
  await waitUntilIdle()
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('only the owner sets and reads the caps of a workspace, with the spending', async () => {
  const { open, ctx } = await startServerWithCaps()
  const { get, update } = workspaceOperations
  const noCaps = { sessionPerDay: null, subjectPerDay: null, workspacePerMonth: null }
  expect((await callEndpoint(get)).body).toMatchObject({
    spendCaps: noCaps,
    spent: { today: 0, thisMonth: 0 }
  })
  await (await open('s')).runTurn('one')
  const saved = await callEndpoint(update, {
    body: { spendCaps: { sessionPerDay: 2.5, subjectPerDay: null } }
  })
  expect(saved).toMatchObject({
    status: 200,
    body: {
      allowedOrigins: [],
      spendCaps: { ...noCaps, sessionPerDay: 2.5 },
      spent: { today: 1, thisMonth: 1 }
    }
  })
  await callEndpoint(update, { body: { allowedOrigins: ['https://shop.example'] } })
  expect((await callEndpoint(get)).body).toMatchObject({
    allowedOrigins: ['https://shop.example'],
    spendCaps: { ...noCaps, sessionPerDay: 2.5 }
  })
  for (const cap of [0, -1, 1e9, '2'])
    expect(await callEndpoint(update, { body: { spendCaps: { subjectPerDay: cap } } })).toMatchObject({
      status: 422,
      body: { fields: { 'spendCaps.subjectPerDay': expect.any(String) } }
    })
  expect((await callEndpoint(update, { body: { spendCaps: { perYear: 1 } } })).status).toBe(422)
  const editorKey = await createKey(ctx, { name: 'Ed', role: 'editor' })
  expect((await callEndpoint(update, { body: { spendCaps: {} } }, editorKey.secret)).status).toBe(403)
  expect((await callEndpoint(update, { body: { spendCaps: {} } })).body).toMatchObject({ spendCaps: noCaps })
})

test('22 S24: a step whose provider reports no tokens is charged by an estimate', async () => {
  const { model, open, sql } = await startServerWithCaps()
  model.setScript(() => replyText('Done.', { tokens: { input: 0, output: 0 } }))
  await (await open('silent')).runTurn('hello')
  const [spentRow] = await sql<{ usd: number }[]>`select usd from spending`
  expect(spentRow?.usd).toBeGreaterThan(0)
})

/** Returns the usage of a session’s last turn, and the charge of the day over all its turns. */
async function chargesOf({ sql }: Pick<TestServer, 'sql'>, { key }: TestSession) {
  const [turn] = await sql<{ usd: number; budget: number; input: number; output: number; day: number }[]>`
    select usd, budget_usd as budget, input_tokens::int as input, output_tokens::int as output,
      coalesce((select sum(usd) from spending where session_key = ${key}), 0)::float8 as day
    from turns where session_key = ${key} order by started_at desc limit 1`
  return turn
}

/** Returns the options for an agent with a plugin that has these hooks. */
const withPlugin = async (name: string, hooks: string) => ({
  chat: { plugins: [{ name, onFailure: 'continue' }] },
  settings: {
    WAYSTATION_PLUGINS: await pluginFolder({
      [`${name}.mjs`]: `export default { name: '${name}', description: 'Listens.', hooks: () => ({ ${hooks} }) }`
    })
  }
})

/** Each output token costs one US dollar. The heuristic counts four letters as a token. */
const pricedOutput = { chat: { price: { inputPerMillion: 0, outputPerMillion: 1_000_000 } } }

test('22 S24: a turn that is stopped during its output is charged by an estimate of input and output, and can reach a cap', async () => {
  const { model, open, sql } = await startServerWithCaps({ subjectPerDay: 0.01 })
  model.setScript(() => replyThenHold('One two three'))
  const session = await open('s', 'ada')
  await session.send('count '.repeat(100))
  await session.waitForText('three')
  await session.cancel()
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'cancelled' })
  const charge = await chargesOf({ sql }, session)
  expect(charge?.usd).toBeGreaterThan(0.15)
  expect(charge).toMatchObject({ budget: charge?.usd, day: charge?.usd, input: 0, output: 0 })

  // The cap also blocks another session.
  const other = await open('t', 'ada')
  expect(await other.runTurn('count')).toMatchObject({ outcome: 'parked' })
  await other.waitForCall('continue')
  expect(model.requests).toHaveLength(1)
  await expectValidSessions(sql)
})

test('22 S24: an interrupted turn is charged for the model’s output, even if no client received it', async () => {
  // The plugin withholds the text from clients, so that only its hook sees the chunks.
  const chunkSeen = Promise.withResolvers<void>()
  vi.stubGlobal(
    'heardAChunk',
    ({ chunk }: { chunk: object }) => JSON.stringify(chunk).includes('words') && chunkSeen.resolve()
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const { chat, settings } = await withPlugin('hears', 'onChunk: heardAChunk, afterModel: () => undefined')
  const { model, open, sql } = await startServerWithCaps(
    {},
    { chat: { ...pricedOutput.chat, ...chat }, settings }
  )
  model.setScript([replyThenHold('Twelve words.'), replyText('Done.', { tokens: { input: 1, output: 1 } })])
  const session = await open('s')
  await session.send('count')
  await chunkSeen.promise
  await session.send('stop it', { whenBusy: 'interrupt' })
  await session.waitForText('Done.')
  await expect.poll(async () => (await chargesOf({ sql }, session))?.day).toBe(5)
  expect(JSON.stringify(await session.get())).not.toContain('Twelve')
  await expectValidSessions(sql)
})

test('22 S24: a step that fails is charged by the provider’s report', async () => {
  const { model, open, sql } = await startServerWithCaps()
  model.setScript([{ ...replyFiltered('Some words'), tokens: dollar } as Reply])
  const session = await open('s')
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'failed' })
  expect(await chargesOf({ sql }, session)).toEqual({ usd: 1, budget: 1, input: 1000, output: 0, day: 1 })
  await expectValidSessions(sql)
})

test('22 S24: a step that a plugin cancels after its output is charged by the provider’s report', async () => {
  const { model, open, sql } = await startServerWithCaps(
    {},
    await withPlugin('guard', 'afterModel: () => ({ cancel: "not to be told" })')
  )
  model.setScript([talkStep])
  const session = await open('s')
  expect(await session.runTurn('go')).toMatchObject({
    outcome: 'failed',
    error: { code: 'STOPPED_BY_PLUGIN' }
  })
  expect(await chargesOf({ sql }, session)).toEqual({ usd: 1, budget: 1, input: 1000, output: 0, day: 1 })
  await expectValidSessions(sql)
})

test('22 S24: each attempt with output is charged until a cap is reached; one that fails before any output is not', async () => {
  const { model, open, set, sql, advanceTime } = await startServerWithCaps({}, pricedOutput)
  const session = await open('s')
  model.setScript([
    replyError(503),
    replyThenCut('Four'),
    replyThenError('Eight in'),
    replyText('Done.', { tokens: { input: 1, output: 1 } })
  ])
  const ended = session.runTurn('go')
  for (const charge of [0, 1, 3]) {
    await session.waitForNextEvent(event => event.type === 'status' && event.retryAt !== undefined)
    expect(await chargesOf({ sql }, session)).toMatchObject({ usd: charge, budget: charge, day: charge })
    await advanceTime(60)
  }
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await chargesOf({ sql }, session)).toMatchObject({ usd: 4, day: 4, output: 1 })

  await set({ sessionPerDay: 6 })
  model.setScript([replyThenCut('Eight in'), talkStep])
  const retriedTurn = session.runTurn('again')
  await session.waitForNextEvent(event => event.type === 'status' && event.retryAt !== undefined)
  await advanceTime(60)
  expect(await retriedTurn).toMatchObject({ outcome: 'parked' })
  await session.waitForCall('continue')
  expect(model.requests).toHaveLength(5)
  await expectValidSessions(sql)
})

test('22 S24: only an owner can set an agent’s token prices, or change the model while prices are set', async () => {
  const { ctx } = await startTestServer()
  const { secret } = await createKey(ctx, { name: 'Ed', role: 'editor' })
  const { create, update, saveDraft, publish } = agentOperations
  const params = { agentId: 'cheap' }
  const agent = (chat: object) => ({ agentId: 'cheap', displayName: 'Cheap', chat })
  const price = { inputPerMillion: 1, outputPerMillion: 2 }
  const forbidden = { status: 403, body: { code: 'FORBIDDEN' } }
  expect(await callEndpoint(create, { body: agent({ price }) }, secret)).toMatchObject(forbidden)
  expect((await callEndpoint(create, { body: agent({ price }) })).status).toBe(201)
  const unchangedPrice = agent({ price, instructions: 'Be brief.' })
  expect((await callEndpoint(update, { params, body: unchangedPrice }, secret)).status).toBe(200)
  for (const chat of [{}, { price: { ...price, inputPerMillion: 0 } }, { price, model: 'openai/gpt-5' }]) {
    expect(await callEndpoint(update, { params, body: agent(chat) }, secret)).toMatchObject(forbidden)
    const saved = await callEndpoint(saveDraft, { params, body: { config: agent(chat), base: 2 } }, secret)
    const { version } = saved.body.draft as { version: number }
    expect(await callEndpoint(publish, { params, body: { base: 2, version } }, secret)).toMatchObject(
      forbidden
    )
  }
})
