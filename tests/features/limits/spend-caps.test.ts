import { expect, onTestFinished, test, vi } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import type { UpdateWorkspace } from '#lib/auth/workspaces/workspace.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import type { Ctx, Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import { SendMessage } from '#lib/protocol/session/session.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { listWaiting } from '#lib/sessions/list-waiting.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import {
  breaks,
  calls,
  cuts,
  fails,
  filters,
  holds,
  type Reply,
  says
} from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { atRest, expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { type TestSession, type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

const dollar = { input: 1000, output: 0 }
/** A step that costs a dollar and says something, or leads to the next one. */
const talks = says('Done.', { tokens: dollar })
const works = (_: unknown, n: number) =>
  ({ ...calls({ name: 'nothing', input: { n } }), tokens: dollar }) as Reply

type Caps = NonNullable<UpdateWorkspace['spendCaps']>

/** An agent whose every step costs a dollar, in a workspace with these caps. */
async function spending(
  caps: Caps = {},
  { chat = {}, settings = {} }: { chat?: object; settings?: Record<string, string> } = {}
) {
  const world = await testWorld({ script: () => talks, settings })
  await world.agent({
    chat: {
      price: { inputPerMillion: 1000, outputPerMillion: 0 },
      limits: { stepsPerTurn: 25, usdPerTurn: 0, contextTokens: 120_000 },
      ...chat
    }
  })
  const set = (spendCaps: Caps) => updateWorkspace(world.ctx, { spendCaps })
  await set(caps)
  const open = async (sessionId: string, subject?: string) => {
    await createSession(world.ctx, { agentId: 'test', sessionId, ...(subject && { subject }) })
    return world.reopen(sessionId)
  }
  const grants = () => world.sql<{ scope: string; about: string; usd: number; grantedBy: string }[]>`
    select scope, about, usd, granted_by from spend_grants order by granted_at`
  return { ...world, set, open, grants, rested: () => expect.poll(() => atRest(world.sql)).toBe(true) }
}

const member = (role: Role): Ctx =>
  ctxFor({ kind: 'person', userId: role, name: `The ${role}`, role, workspaceId: 'default' })

/** An end user's token of this session, and what the doors say to it. */
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

const by = (ctx: Ctx, { id }: TestSession, text: string) =>
  sendMessage(ctx, SendMessage.parse({ sessionId: id, text }))

/** What was spent and allowed, and the open questions about it, become yesterday's, or last month's. */
async function later({ sql, pass }: TestWorld, by: 'day' | 'month') {
  const step = by === 'day' ? sql`interval '1 day'` : sql`interval '1 month'`
  await sql`update spending set day = (day - ${step})::date`
  await sql`update spend_grants set period = (period - ${step})::date`
  await sql`update calls set cap = jsonb_set(cap, '{period}', to_jsonb(((cap ->> 'period')::date - ${step})::date::text)) where cap is not null`
  await pass(32 * 86_400)
}

const midnight = () => new Date().setUTCHours(24, 0, 0, 0)

test('a session at its cap for the day begins no step and asks: whose cap, how much of how much, until when', async () => {
  const { sql, model, open, set, grants } = await spending({ sessionPerDay: 2 })
  const session = await open('s')
  model.play(works)
  expect(await session.says('go')).toMatchObject({ outcome: 'parked', status: 'parked' })
  expect(model.requests).toHaveLength(2)
  const call = await session.waitsFor('continue')
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

  const parked = session.ends()
  await session.answer(call, { approved: true }, member('operator'))
  expect(await parked).toMatchObject({ outcome: 'parked' })
  expect(model.requests).toHaveLength(4)
  expect(await grants()).toMatchObject([{ scope: 'session', usd: 2, grantedBy: 'The operator' }])
  const second = await session.waitsFor('continue')
  expect(second.input).toMatchObject({ reason: expect.stringMatching(/\$4\.00.*\$4\.00/) })

  // A cap that is lowered below what was spent: one yes leads on all the same.
  await set({ sessionPerDay: 1 })
  await session.answer(second, { approved: false })
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await session.says('go')
  const third = await session.waitsFor('continue')
  expect(third.input).toMatchObject({ reason: expect.stringMatching(/\$2\.00\?$/) })
  const again = session.ends()
  await session.answer(third, { approved: true })
  await again
  expect(model.requests).toHaveLength(5)
  await expectSoundSessions(sql)
})

test('a session token lifts no cap: not by its answer, not by its message, which waits until a member continues', async () => {
  const { sql, model, open, grants, rested } = await spending({ sessionPerDay: 1 })
  const session = await open('s')
  const eve = await endUserOf(session)
  await session.says('one')
  expect((await eve.sends('two')).status).toBe(202)
  const call = await session.waitsFor('continue')
  await rested()
  for (const reply of [
    await eve.answers(call, { approved: true }),
    await eve.answers(call, { approved: false }),
    await eve.cancels(call)
  ]) {
    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'FORBIDDEN'
      }
    })
  }
  expect((await eve.sends('three')).status).toBe(202)
  await rested()
  expect(model.requests).toHaveLength(1)
  expect(await grants()).toEqual([])
  const { messages, session: seen } = await session.get()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  expect(seen).toMatchObject({ status: 'parked', waitingFor: [{ toolCallId: call.toolCallId }] })

  await session.answer(call, { approved: true }, member('operator'))
  await expect.poll(() => model.requests.length).toBe(2)
  await rested()
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/one.*two.*three/)
  expect((await session.get()).session).toMatchObject({ status: 'idle', waitingFor: [] })
  expect(await grants()).toHaveLength(1)
  await expectSoundSessions(sql)
})

test('the first message of a session may be kept back: it stands before its "continue?", and is answered in it', async () => {
  const { sql, model, open, rested } = await spending({ subjectPerDay: 1 })
  const first = await open('first', 'ada')
  await first.says('one')
  const session = await open('second', 'ada')
  const eve = await endUserOf(session, 'ada')
  await eve.sends('two')
  const call = await session.waitsFor('continue')
  await rested()
  expect(call.input).toEqual({
    reason: expect.stringMatching(/ada .*\$1\.00.*\$1\.00.*00:00.*\$1\.00/)
  })
  expect(model.requests).toHaveLength(1)
  await session.answer(call, { approved: true })
  await session.reads('Done.')
  await rested()
  const { messages } = await session.get()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(messages[1]).toMatchObject({ id: call.messageId })
  await expectSoundSessions(sql)
})

test('a member’s message continues as an answer does; one whose role may not is kept back', async () => {
  const { sql, model, open, grants, rested } = await spending({ workspacePerMonth: 1 })
  const session = await open('s')
  await by(member('operator'), session, 'one')
  await session.reads('Done.')
  await rested()
  await by(member('operator'), session, 'two')
  const call = await session.waitsFor('continue')
  await rested()
  expect(call).toMatchObject({ answerers: { roles: ['owner', 'editor'], links: false } })
  expect(call.input).toMatchObject({
    reason: expect.stringMatching(/\$1\.00.*\$1\.00.*00:00.*\$1\.00/)
  })
  const mine = async (role: Role) => (await listWaiting(member(role), { mine: true })).calls.length
  expect([await mine('editor'), await mine('operator')]).toEqual([1, 0])
  await expect(session.answer(call, { approved: true }, member('operator'))).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await by(member('operator'), session, 'three')
  await rested()
  expect(model.requests).toHaveLength(1)
  await by(member('editor'), session, 'four')
  expect(await session.settles(call)).toMatchObject({
    state: 'approved',
    via: 'message',
    answeredBy: 'The editor'
  })
  await rested()
  expect(model.requests).toHaveLength(2)
  expect(await grants()).toMatchObject([{ scope: 'workspace', about: '', usd: 1, grantedBy: 'The editor' }])
  await expectSoundSessions(sql)
})

test('an end user’s cap counts all sessions of that subject, and nobody else’s; one yes is for all of them', async () => {
  const { sql, model, open, grants, rested } = await spending({ subjectPerDay: 2 })
  const [one, two] = [await open('one', 'ada'), await open('two', 'ada')]
  await one.says('first')
  await two.says('second')
  await one.says('third')
  await two.says('fourth')
  expect(model.requests).toHaveLength(2)
  const bob = await open('three', 'bob')
  const nobody = await open('four')
  expect(await bob.says('hello')).toMatchObject({ outcome: 'done' })
  expect(await nobody.says('hello')).toMatchObject({ outcome: 'done' })

  await Promise.all(
    [one, two].map(async session => session.answer(await session.waitsFor('continue'), { approved: true }))
  )
  await expect.poll(() => model.requests.length).toBe(6)
  await rested()
  expect(await grants()).toMatchObject([{ scope: 'subject', about: 'ada', usd: 2 }])
  expect(await one.says('fifth')).toMatchObject({ outcome: 'parked' })
  await expectSoundSessions(sql)
})

test('lifted in one session, the question in the other is asked no longer: its next message goes on', async () => {
  const { sql, model, open, set } = await spending({ subjectPerDay: 1 })
  const [one, two] = [await open('one', 'ada'), await open('two', 'ada')]
  const eve = await endUserOf(two, 'ada')
  await one.says('first')
  await one.says('second')
  await two.says('third')
  const open2 = await two.waitsFor('continue')
  await set({ subjectPerDay: 9 })
  model.play([works(0, 0), talks])
  const ended = two.ends()
  await eve.sends('fourth')
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(model.requests).toHaveLength(3)
  expect(await two.settles(open2)).toMatchObject({ state: 'cancelled', via: 'server' })
  await expectSoundSessions(sql)
})

test('a workspace’s cap counts all its sessions; what it spends is not told where an end user reads along', async () => {
  const { open, sql } = await spending({ workspacePerMonth: 2 })
  const [one, two] = [await open('one', 'ada'), await open('two')]
  await one.says('first')
  await two.says('second')
  expect(await one.says('third')).toMatchObject({ outcome: 'parked' })
  expect(await two.says('fourth')).toMatchObject({ outcome: 'parked' })
  const words = async (session: TestSession) =>
    ((await session.waitsFor('continue')).input as { reason: string }).reason
  expect(await words(one)).toMatch(/^[^$]*00:00[^$]*\?$/)
  expect(await words(two)).toMatch(/\$2\.00.*\$2\.00/)
  expect(JSON.stringify(await one.get())).not.toContain('"cap"')
  await expectSoundSessions(sql)
})

test('a deleted session gives nothing back: not to its ID, its subject or the workspace', async () => {
  const { ctx, sql, open } = await spending({ sessionPerDay: 1 })
  const session = await open('s', 'ada')
  await session.says('one')
  await deleteSession(ctx, { sessionId: 's' })
  await createSession(ctx, { agentId: 'test', sessionId: 's', subject: 'bob' })
  expect(await (await open('s')).says('two')).toMatchObject({ outcome: 'parked' })

  await updateWorkspace(ctx, { spendCaps: { subjectPerDay: 1 } })
  expect(await (await open('t', 'ada')).says('hello')).toMatchObject({ outcome: 'parked' })
  expect(await (await open('u', 'bob')).says('hello')).toMatchObject({ outcome: 'done' })
  await updateWorkspace(ctx, { spendCaps: { workspacePerMonth: 2 } })
  expect(await (await open('v')).says('hello')).toMatchObject({ outcome: 'parked' })
  expect(await sql`select from spending`).toHaveLength(2)
})

test('a new day lifts it by itself: the question expires, and an end user’s next message goes on', async () => {
  const world = await spending({ sessionPerDay: 1 })
  const { sql, model, open, grants, rested } = world
  const session = await open('s')
  const eve = await endUserOf(session)
  await session.says('one')
  await eve.sends('two')
  const call = await session.waitsFor('continue')
  await session.answer(call, { approved: true })
  await expect.poll(() => model.requests.length).toBe(2)
  await rested()
  await eve.sends('three')
  const second = await session.waitsFor('continue')
  await rested()

  await later(world, 'day')
  expect(await session.settles(second)).toMatchObject({ state: 'expired' })
  await rested()
  expect(model.requests).toHaveLength(2)
  const fresh = await endUserOf(session)
  model.play([talks])
  const ended = session.ends()
  await fresh.sends('four')
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(JSON.stringify(model.requests[2]?.body.messages)).toMatch(/three.*the request to continue expired/)
  // Yesterday's yes was for yesterday.
  expect(await session.says('five')).toMatchObject({ outcome: 'parked' })
  expect(await grants()).toHaveLength(1)
  await expectSoundSessions(sql)
})

test('a workspace’s cap is of the month: yesterday counts, last month does not', async () => {
  const world = await spending({ workspacePerMonth: 2 })
  const { sql, open } = world
  await (await open('one')).says('first')
  await sql`
    insert into spending (workspace_id, session_key, day, generation, usd)
    select 'default', 999, date_trunc('month', now() at time zone 'UTC')::date, 1, 1`
  const two = await open('two')
  expect(await two.says('second')).toMatchObject({ outcome: 'parked' })
  await later(world, 'month')
  expect(await (await open('three')).says('third')).toMatchObject({ outcome: 'done' })
})

test('two sessions at the cap at once: each goes over it by one step at most', async () => {
  const { sql, model, open } = await spending({ workspacePerMonth: 5 })
  const sessions = [await open('one'), await open('two')]
  model.play(works)
  await Promise.all(sessions.map(session => session.says('go')))
  const [{ spent } = { spent: 0 }] = await sql<
    { spent: number }[]
  >`select sum(usd)::float8 as spent from spending`
  expect(spent).toBeGreaterThanOrEqual(5)
  expect(spent).toBeLessThan(7)
  expect(model.requests).toHaveLength(spent)
})

test('answered twice at once, it allows more once', async () => {
  const { open, grants } = await spending({ sessionPerDay: 1 })
  const session = await open('s')
  await session.says('one')
  await session.says('two')
  const call = await session.waitsFor('continue')
  const answers = await Promise.allSettled(
    ['a', 'b', 'c'].map(reason => session.answer(call, { approved: true, reason }, member('owner')))
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await session.settles(call)
  expect(await grants()).toHaveLength(1)
})

test('declined, it rests; a message asks again, and "retry now" is no way around', async () => {
  const { ctx, sql, model, open, grants, rested } = await spending({ sessionPerDay: 1 })
  const session = await open('s')
  await session.says('one')
  await session.says('two')
  await session.answer(await session.waitsFor('continue'), { approved: false })
  await rested()
  expect((await session.get()).session).toMatchObject({ status: 'idle', waitingFor: [] })
  expect(await session.says('three')).toMatchObject({ outcome: 'parked' })
  model.play([fails(401), talks])
  await session.answer(await session.waitsFor('continue'), { approved: true })
  await expect.poll(async () => (await session.get()).session.status).toBe('failed')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/two.*chose not to continue.*three/)
  await sql`update spending set usd = usd + 5`
  await retryTurn(ctx, { sessionId: 's' })
  const call = await session.waitsFor('continue')
  await rested()
  expect(model.requests).toHaveLength(2)
  await session.answer(call, { approved: true })
  await session.reads('Done.')
  await expect.poll(() => model.requests.length).toBe(3)
  await rested()
  expect(await grants()).toMatchObject([{ usd: 1 }, { usd: 5 }])
  await expectSoundSessions(sql)
})

test('without a cap a step asks the ledger nothing, and what costs nothing is not written into it', async () => {
  const { sql, open, session } = await spending()
  await sql`alter table spend_grants rename to elsewhere`
  expect(await (await open('s')).says('one')).toMatchObject({ outcome: 'done' })
  await sql`update agents set config = jsonb_set(config, '{chat,price,inputPerMillion}', '0') where id = 'test'`
  expect(await (await session('test')).says('two')).toMatchObject({ outcome: 'done' })
  expect(await sql`select usd from spending`).toEqual([{ usd: 1 }])
})

test('a stock client that is kept back is answered as well: its stream ends', async () => {
  const { open, rested } = await spending({ sessionPerDay: 1 })
  const session = await open('s')
  const eve = await endUserOf(session)
  await session.says('one')
  expect(await eve.chats('two')).toMatch(/"toolName":"continue".*tool-approval-request.*\[DONE\]/s)
  await rested()
  expect(await eve.chats('three')).toContain('[DONE]')
  await rested()
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('the caps of a workspace are its owner’s to set and see, with what was spent', async () => {
  const { open, ctx } = await spending()
  const { get, update } = workspaceOperations
  const none = { sessionPerDay: null, subjectPerDay: null, workspacePerMonth: null }
  expect((await callEndpoint(get)).body).toMatchObject({ spendCaps: none, spent: { today: 0, thisMonth: 0 } })
  await (await open('s')).says('one')
  const saved = await callEndpoint(update, {
    body: { spendCaps: { sessionPerDay: 2.5, subjectPerDay: null } }
  })
  expect(saved).toMatchObject({
    status: 200,
    body: {
      allowedOrigins: [],
      spendCaps: { ...none, sessionPerDay: 2.5 },
      spent: { today: 1, thisMonth: 1 }
    }
  })
  await callEndpoint(update, { body: { allowedOrigins: ['https://shop.example'] } })
  expect((await callEndpoint(get)).body).toMatchObject({
    allowedOrigins: ['https://shop.example'],
    spendCaps: { ...none, sessionPerDay: 2.5 }
  })
  for (const cap of [0, -1, 1e9, '2'])
    expect(await callEndpoint(update, { body: { spendCaps: { subjectPerDay: cap } } })).toMatchObject({
      status: 422,
      body: { fields: { 'spendCaps.subjectPerDay': expect.any(String) } }
    })
  expect((await callEndpoint(update, { body: { spendCaps: { perYear: 1 } } })).status).toBe(422)
  const ed = await createKey(ctx, { name: 'Ed', role: 'editor' })
  expect((await callEndpoint(update, { body: { spendCaps: {} } }, ed.secret)).status).toBe(403)
  expect((await callEndpoint(update, { body: { spendCaps: {} } })).body).toMatchObject({ spendCaps: none })
})

test('22 S24: a step whose provider reports no tokens is charged by an estimate of them', async () => {
  const { model, open, sql } = await spending()
  model.play(() => says('Done.', { tokens: { input: 0, output: 0 } }))
  await (await open('silent')).says('hello')
  const [spent] = await sql<{ usd: number }[]>`select usd from spending`
  expect(spent?.usd).toBeGreaterThan(0)
})

/** What a session's last turn took, and what was charged to the day by all of them. */
async function chargedTo({ sql }: Pick<TestWorld, 'sql'>, { key }: TestSession) {
  const [turn] = await sql<{ usd: number; budget: number; input: number; output: number; day: number }[]>`
    select usd, budget_usd as budget, input_tokens::int as input, output_tokens::int as output,
      coalesce((select sum(usd) from spending where session_key = ${key}), 0)::float8 as day
    from turns where session_key = ${key} order by started_at desc limit 1`
  return turn
}

/** An agent with a plugin of these hooks. */
const having = async (name: string, hooks: string) => ({
  chat: { plugins: [{ name, onFailure: 'continue' }] },
  settings: {
    WAYSTATION_PLUGINS: await pluginFolder({
      [`${name}.mjs`]: `export default { name: '${name}', description: 'Listens.', hooks: () => ({ ${hooks} }) }`
    })
  }
})

/** A dollar for each token that the model writes, by the heuristic: four letters. */
const wordy = { chat: { price: { inputPerMillion: 0, outputPerMillion: 1_000_000 } } }

test('22 S24: a turn that is stopped in the middle of its words is charged by an estimate of what was sent and said, and comes to a cap', async () => {
  const { model, open, sql } = await spending({ subjectPerDay: 0.01 })
  model.play(() => holds('One two three'))
  const session = await open('s', 'ada')
  await session.send('count '.repeat(100))
  await session.reads('three')
  await session.cancel()
  expect(await session.ends()).toMatchObject({ outcome: 'cancelled' })
  const charged = await chargedTo({ sql }, session)
  expect(charged?.usd).toBeGreaterThan(0.15)
  expect(charged).toMatchObject({ budget: charged?.usd, day: charged?.usd, input: 0, output: 0 })

  // Not in another session either.
  const other = await open('t', 'ada')
  expect(await other.says('count')).toMatchObject({ outcome: 'parked' })
  await other.waitsFor('continue')
  expect(model.requests).toHaveLength(1)
  await expectSoundSessions(sql)
})

test('22 S24: one that makes room for another message pays for what the model said, also where nobody was shown it', async () => {
  // What is held back for it, only a plugin is told as it comes.
  const heard = Promise.withResolvers<void>()
  vi.stubGlobal(
    'heardAChunk',
    ({ chunk }: { chunk: object }) => JSON.stringify(chunk).includes('words') && heard.resolve()
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const { chat, settings } = await having('hears', 'onChunk: heardAChunk, afterModel: () => undefined')
  const { model, open, sql } = await spending({}, { chat: { ...wordy.chat, ...chat }, settings })
  model.play([holds('Twelve words.'), says('Done.', { tokens: { input: 1, output: 1 } })])
  const session = await open('s')
  await session.send('count')
  await heard.promise
  await session.send('stop it', { whenBusy: 'interrupt' })
  await session.reads('Done.')
  await expect.poll(async () => (await chargedTo({ sql }, session))?.day).toBe(5)
  expect(JSON.stringify(await session.get())).not.toContain('Twelve')
  await expectSoundSessions(sql)
})

test('22 S24: a step that ends badly is charged what the provider reports', async () => {
  const { model, open, sql } = await spending()
  model.play([{ ...filters('Some words'), tokens: dollar } as Reply])
  const session = await open('s')
  expect(await session.says('go')).toMatchObject({ outcome: 'failed' })
  expect(await chargedTo({ sql }, session)).toEqual({ usd: 1, budget: 1, input: 1000, output: 0, day: 1 })
  await expectSoundSessions(sql)
})

test('22 S24: a step that a plugin stops once it was said is charged what the provider reports', async () => {
  const { model, open, sql } = await spending(
    {},
    await having('guard', 'afterModel: () => ({ cancel: "not to be told" })')
  )
  model.play([talks])
  const session = await open('s')
  expect(await session.says('go')).toMatchObject({
    outcome: 'failed',
    error: { code: 'STOPPED_BY_PLUGIN' }
  })
  expect(await chargedTo({ sql }, session)).toEqual({ usd: 1, budget: 1, input: 1000, output: 0, day: 1 })
  await expectSoundSessions(sql)
})

test('22 S24: each try that the model answered is charged, until a cap is reached; one that fails before any word is not', async () => {
  const { model, open, set, sql, pass } = await spending({}, wordy)
  const session = await open('s')
  model.play([
    fails(503),
    cuts('Four'),
    breaks('Eight in'),
    says('Done.', { tokens: { input: 1, output: 1 } })
  ])
  const ended = session.says('go')
  for (const charged of [0, 1, 3]) {
    await session.next(event => event.type === 'status' && event.retryAt !== undefined)
    expect(await chargedTo({ sql }, session)).toMatchObject({ usd: charged, budget: charged, day: charged })
    await pass(60)
  }
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await chargedTo({ sql }, session)).toMatchObject({ usd: 4, day: 4, output: 1 })

  await set({ sessionPerDay: 6 })
  model.play([cuts('Eight in'), talks])
  const held = session.says('again')
  await session.next(event => event.type === 'status' && event.retryAt !== undefined)
  await pass(60)
  expect(await held).toMatchObject({ outcome: 'parked' })
  await session.waitsFor('continue')
  expect(model.requests).toHaveLength(5)
  await expectSoundSessions(sql)
})

test('22 S24: only an owner sets what an agent’s tokens cost, or another model while it says so', async () => {
  const { ctx } = await testWorld()
  const { secret } = await createKey(ctx, { name: 'Ed', role: 'editor' })
  const { create, update, saveDraft, publish } = agentOperations
  const params = { agentId: 'cheap' }
  const agent = (chat: object) => ({ agentId: 'cheap', displayName: 'Cheap', chat })
  const price = { inputPerMillion: 1, outputPerMillion: 2 }
  const forbidden = { status: 403, body: { code: 'FORBIDDEN' } }
  expect(await callEndpoint(create, { body: agent({ price }) }, secret)).toMatchObject(forbidden)
  expect((await callEndpoint(create, { body: agent({ price }) })).status).toBe(201)
  const kept = agent({ price, instructions: 'Be brief.' })
  expect((await callEndpoint(update, { params, body: kept }, secret)).status).toBe(200)
  for (const chat of [{}, { price: { ...price, inputPerMillion: 0 } }, { price, model: 'openai/gpt-5' }]) {
    expect(await callEndpoint(update, { params, body: agent(chat) }, secret)).toMatchObject(forbidden)
    const saved = await callEndpoint(saveDraft, { params, body: { config: agent(chat), base: 2 } }, secret)
    const { version } = saved.body.draft as { version: number }
    expect(await callEndpoint(publish, { params, body: { base: 2, version } }, secret)).toMatchObject(
      forbidden
    )
  }
})
