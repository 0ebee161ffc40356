import type { SpawnResult } from '@waystation/protocol/agent/spawn-result.ts'
import type { CallEvent, SessionChangedEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { expect, test } from 'vitest'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { listSubAgents } from '#lib/features/delegation/list-sub-agents.ts'
import { reconcileSubAgent } from '#lib/features/delegation/reconcile-sub-agent.ts'
import { reconcileSubAgents } from '#lib/features/delegation/reconcile-sub-agents.ts'
import { reportToParent } from '#lib/features/delegation/report-to-parent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const tools = [{ name: 'spawn-agent' }, { name: 'ask-question' }]
const spawn = (input: object) => `use spawn-agent ${JSON.stringify(input)}`

/** Returns a session whose agent can start sub-agents. It uses the demo model unless there is a script. */
async function sessionWithSubAgents(options: Parameters<typeof startTestServer>[0] = {}, extra: object = {}) {
  const server = await startTestServer(options)
  await server.saveAgent({ chat: { tools, ...extra } })
  const session = await server.startSession('test')
  const { ctx } = server
  const below = async (id = session.id) => (await listSubAgents(ctx, { sessionId: id })).subAgents
  /** Returns the newest session below another, once it has that many. */
  const child = async (parentSession: TestSession = session, count = 1): Promise<TestSession> => {
    await parentSession.waitForEvent(
      (event): event is SessionChangedEvent & SessionEvent =>
        event.type === 'session' && (event.subAgents?.all ?? 0) >= count
    )
    const [newest] = await below(parentSession.id)
    return server.reopenSession(newest?.sessionId ?? '')
  }
  return { ...server, session, below, child }
}

/** Sends a message and waits until all its work is done, not only until a turn parks. */
async function runToEnd(session: TestSession, text: string): Promise<void> {
  const turnDone = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.send(text)
  await turnDone
}

const output = (event: { output?: unknown }) => event.output as SpawnResult

test('001-16: a sub-agent does its task in its own session, and its last text is the result of the call', async () => {
  const { session, below, ctx, reopenSession, sql } = await sessionWithSubAgents()
  await session.send(spawn({ task: 'say Three birds.', context: 'You count birds.' }))
  const call = await session.waitForCall('spawn-agent')
  expect(call).toMatchObject({
    kind: 'agent',
    where: 'agent',
    title: 'Sub-task: say Three birds.',
    render: { kind: 'agent', agentId: 'test', name: 'Test' }
  })
  const settledCall = await session.waitForSettled(call)
  expect(settledCall).toMatchObject({ state: 'answered', answeredBy: 'Test', via: 'server' })
  const [subAgent] = await below()
  expect(output(settledCall)).toEqual({
    sessionId: subAgent?.sessionId,
    agentId: 'test',
    result: expect.any(String)
  })
  expect(output(settledCall).result).toContain('Three birds.')
  expect(subAgent).toMatchObject({
    title: 'Sub-task: say Three birds.',
    toolCallId: call.toolCallId,
    atWork: false
  })

  const childView = await (await reopenSession(subAgent?.sessionId ?? '')).get()
  expect(childView.messages[0] && textOf(childView.messages[0])).toBe(
    'say Three birds.\n\n<context>\nYou count birds.\n</context>'
  )
  expect(childView.session.parent).toEqual({
    id: session.id,
    title: expect.any(String),
    toolCallId: call.toolCallId
  })
  const listChildren = async (parent?: string) =>
    (await listSessions(ctx, { limit: 50, ...(parent && { parent }) })).sessions.map(({ id }) => id)
  expect(await listChildren()).not.toContain(subAgent?.sessionId)
  expect(await listChildren(session.id)).toEqual([subAgent?.sessionId])
  await expectValidSessions(sql)
})

/** Returns the last message that a model received, as text. */
const lastMessageText = ({ body }: ModelRequest) => JSON.stringify(body.messages.at(-1)?.content)

const task = (name: string, extra: object = {}) => ({ name: 'spawn-agent', input: { task: name, ...extra } })

test('001-16: several sub-agents run in parallel; the parent parks and continues once, when the last one is done', async () => {
  const { session, model, sql } = await sessionWithSubAgents({
    script: async request => {
      if (lastMessageText(request).includes('part ')) return replyThenHold(`Done.`)
      return request.body.messages.length === 2
        ? replyCalls(task('part one'), task('part two'))
        : replyText('All is done.')
    }
  })
  const parked = session.waitForEnd()
  await session.send('go')
  expect(await parked).toMatchObject({ outcome: 'parked', status: 'parked' })
  // Both have started before one of them is done.
  await Promise.all([model.request(1), model.request(2)])
  const { session: now } = await session.get()
  expect(now).toMatchObject({ status: 'parked', waitingFor: [{ kind: 'agent' }, { kind: 'agent' }] })
  const ended = session.waitForEnd()
  model.release()
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(model.requests).toHaveLength(4)
  expect(await session.agentTexts()).toEqual([expect.stringContaining('All is done.')])
  await expectValidSessions(sql)
})

test('001-16: with a background sub-agent the parent continues at once, and receives the result when it is ready', async () => {
  const { session, model, sql } = await sessionWithSubAgents({
    script: async request => {
      const lastText = lastMessageText(request)
      if (lastText.includes('count birds')) return replyThenHold('Seven birds.')
      if (lastText.includes('go')) return replyCalls(task('count birds', { background: true }))
      return lastText.includes('call_answer') ? replyText('There are seven.') : replyText('It is under way.')
    }
  })
  const first = session.waitForEnd()
  await session.send('go')
  expect(await first).toMatchObject({ outcome: 'done', status: 'parked' })
  expect(await session.agentTexts()).toEqual([expect.stringContaining('It is under way.')])
  const second = session.waitForEnd()
  model.release()
  expect(await second).toMatchObject({ outcome: 'done', status: 'idle' })
  expect((await session.agentTexts()).at(-1)).toContain('There are seven.')
  const last = model.requests.at(-1)
  expect(JSON.stringify(last?.body.messages)).toContain('Seven birds.')
  expect(await sql`select from inbox where consumed_at is null`).toHaveLength(0)
})

test('001-16: a question of a sub-agent is shown in its parent’s session, and is listed with the other pending calls', async () => {
  const { session, child, ctx } = await sessionWithSubAgents()
  const question = spawn({ task: 'use ask-question {"question": "Which bird?"}' })
  await session.send(spawn({ task: question }))
  const askingSession = await child(await child())
  const call = await askingSession.waitForCall('ask-question')
  const waitingChanged = (expected: number) => (event: SessionEvent) =>
    event.type === 'session' && event.subAgents?.waiting === expected
  await session.waitForEvent(waitingChanged(1))
  expect((await session.get()).subAgents).toEqual({ all: 1, atWork: 1, waiting: 1 })
  expect(await listSubAgents(ctx, { sessionId: session.id })).toMatchObject({
    subAgents: [{ atWork: true, status: 'parked' }],
    waiting: [{ sessionId: askingSession.id, agentId: 'test', call: { toolCallId: call.toolCallId } }]
  })
  const [topSession] = (await listSessions(ctx, { limit: 50 })).sessions
  expect(topSession).toMatchObject({ id: session.id, subAgents: { atWork: 2, waiting: 1 } })
  const myCalls = await listPendingCalls(ctx, { mine: true })
  expect(myCalls.calls.map(({ toolCallId }) => toolCallId)).toEqual([call.toolCallId])

  const ended = session.waitForEnd()
  await askingSession.answer(call, { output: { answer: 'The robin' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  await session.waitForEvent(event => event.type === 'session' && event.subAgents?.atWork === 0)
})

test('001-16: cancelling the parent’s call ends everything below it, and later results change nothing', async () => {
  const { session, child, model, sql } = await sessionWithSubAgents({
    script: async request => {
      const lastText = lastMessageText(request)
      if (lastText.includes('deepest')) return replyThenHold('Never read.')
      return lastText.includes('go')
        ? replyCalls(task(lastText.includes('go on') ? 'deepest' : 'go on'))
        : replyText('Well.')
    }
  })
  await session.send('go')
  const middleSession = await child()
  const deepestSession = await child(middleSession)
  const failedCall = await deepestSession.waitForEvent(
    (event): event is SessionEvent & { type: 'status' } =>
      event.type === 'status' && event.status === 'running'
  )
  expect(failedCall).toBeDefined()
  await model.request(2)
  const [parentDone, ended] = [deepestSession.waitForEnd(), session.waitForEnd()]
  await session.cancel(true)
  expect(await parentDone).toMatchObject({ outcome: 'cancelled' })
  await ended
  expect(await sql`select from sessions where reports`).toHaveLength(0)
  expect(await sql`select from calls where state = 'open'`).toHaveLength(0)
  await expectValidSessions(sql)
})

test('001-16: at its deadline the parent’s call settles, and the sub-agent ends', async () => {
  const { session, child, advanceTime, sql } = await sessionWithSubAgents(
    {},
    {
      tools: [{ name: 'spawn-agent', deadlineSeconds: 60 }, { name: 'ask-question' }]
    }
  )
  await session.send(spawn({ task: 'use ask-question {"question": "Which bird?"}' }))
  const call = await session.waitForCall('spawn-agent')
  const below = await child()
  const questionCall = await below.waitForCall('ask-question')
  await advanceTime(61)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired' })
  expect(await below.waitForSettled(questionCall)).toMatchObject({ state: 'cancelled' })
  expect(await sql`select from sessions where reports`).toHaveLength(0)
})

test('001-16: sub-agents are at most three levels deep and eight at once; one more is a failed call that the model sees', async () => {
  const { session, model, child } = await sessionWithSubAgents({
    script: async request =>
      request.body.messages.at(-1)?.role === 'tool'
        ? replyText('Well.')
        : lastMessageText(request).includes('hold')
          ? replyThenHold('Held.')
          : lastMessageText(request).includes('deeper')
            ? replyCalls(task('deeper'))
            : replyCalls(...Array.from({ length: 9 }, () => task('hold')))
  })
  await session.send('go')
  const ninthCall = await session.waitForEvent(
    (event): event is CallEvent & SessionEvent => event.type === 'call' && event.call.state === 'failed'
  )
  expect(ninthCall.call.errorText).toMatch(/\b8\b/)
  const turnEnd = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  model.release()
  await turnEnd

  await session.send('deeper')
  const third = await child(await child(await child(session, 9)))
  const rejected = await third.waitForEvent(
    (event): event is CallEvent & SessionEvent => event.type === 'call' && event.call.state === 'failed'
  )
  expect(rejected.call.errorText).toMatch(/\b3\b/)
})

test('001-16: an agent can start the agents that its configuration names, and its own kind', async () => {
  const { session, saveAgent, below } = await sessionWithSubAgents(
    {},
    {
      tools: [{ name: 'spawn-agent', agents: ['clerk'] }]
    }
  )
  await saveAgent({ agentId: 'clerk', displayName: 'The clerk' })
  await runToEnd(session, spawn({ task: 'say Filed.', agentId: 'clerk' }))
  const [first] = (await session.get()).calls
  expect(first).toMatchObject({ render: { name: 'The clerk' } })
  expect(await session.waitForSettled(first as never)).toMatchObject({ answeredBy: 'The clerk' })
  expect(await below()).toMatchObject([{ agentId: 'clerk' }])
  await runToEnd(session, spawn({ task: 'say Filed.', agentId: 'guide' }))
  const last = (await session.get()).calls.at(-1)
  expect(last).toMatchObject({ state: 'failed', errorText: expect.stringContaining('agentId') })
  expect(await below()).toHaveLength(1)
})

test('001-16: a sub-agent that needs approval starts only after it, and does the task as the approver edited it', async () => {
  const { session, below } = await sessionWithSubAgents(
    {},
    { tools: [{ name: 'spawn-agent', approval: 'ask' }] }
  )
  await session.send(spawn({ task: 'say Three birds.' }))
  const call = await session.waitForCall('spawn-agent')
  expect(call).toMatchObject({ kind: 'approval', where: 'agent' })
  expect(await below()).toEqual([])
  await session.answer(call, { approved: true, input: { task: 'say Two birds.' } })
  const settledCall = await session.waitForSettled(call)
  expect(output(settledCall).result).toContain('Two birds.')
})

test('001-16: a sub-agent that fails, or whose session is deleted, gives its parent a definite answer', async () => {
  const { session, child, ctx } = await sessionWithSubAgents(
    {},
    { tools: [{ name: 'spawn-agent' }, { name: 'ask-question' }] }
  )
  await runToEnd(session, spawn({ task: 'fail 400' }))
  const [failed] = (await session.get()).calls
  expect(await session.waitForSettled(failed as never)).toMatchObject({
    state: 'failed',
    errorText: expect.any(String)
  })
  await session.send(spawn({ task: 'use ask-question {"question": "Which bird?"}' }))
  const call = await session.waitForCall('spawn-agent')
  const below = await child(session, 2)
  await below.waitForCall('ask-question')
  await deleteSession(ctx, { sessionId: below.id })
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'failed',
    errorText: expect.any(String)
  })
})

test('001-16: deleting a session deletes every session below it', async () => {
  const { session, child, ctx, sql } = await sessionWithSubAgents()
  await session.send(spawn({ task: spawn({ task: 'use ask-question {"question": "Which bird?"}' }) }))
  const middleSession = await child()
  const deepestSession = await child(middleSession)
  await deepestSession.waitForCall('ask-question')
  await deleteSession(ctx, { sessionId: session.id })
  await Promise.all([
    middleSession.streamEnd.catch(() => undefined),
    deepestSession.streamEnd.catch(() => undefined)
  ])
  expect(await sql`select from sessions where deleted_at is null and parent_key is not null`).toHaveLength(0)
  expect(
    await sql`select from messages where session_key in (${middleSession.key}, ${deepestSession.key})`
  ).toHaveLength(0)
  // Afterwards its ID is an ordinary session ID.
  await createSession(ctx, { agentId: 'test', sessionId: deepestSession.id })
  expect((await listSessions(ctx, { limit: 50 })).sessions.map(({ id }) => id)).toContain(deepestSession.id)
})

test('001-16: jobs that run twice, late or never create one session and one answer', async () => {
  const { session, child, model, sql, ctx } = await sessionWithSubAgents({
    script: async request =>
      lastMessageText(request).includes('birds')
        ? replyThenHold('Seven.')
        : request.body.messages.at(-1)?.role === 'tool'
          ? replyText('Well.')
          : replyCalls(task('birds'))
  })
  const server = {
    ...ctx,
    actor: { kind: 'system', name: 'server', workspaceId: '' } as const,
    workspaceId: ''
  }
  await session.send('go')
  const { toolCallId } = await session.waitForCall('spawn-agent')
  const callKey = { sessionKey: session.key, toolCallId }
  await Promise.all(Array.from({ length: 5 }, () => reconcileSubAgent(server, callKey)))
  const below = await child()
  expect(await sql`select from sessions where parent_key = ${session.key}`).toHaveLength(1)
  const ended = below.waitForEnd()
  model.release()
  await ended
  await Promise.all(Array.from({ length: 5 }, () => reportToParent(server, { sessionKey: below.key })))
  await session.waitForSettled({ toolCallId })
  expect(
    session.events.filter(event => event.type === 'call' && event.call.state === 'answered')
  ).toHaveLength(1)

  // Simulates that no job ever ran.
  await sql`update calls set state = 'open', result = null, since = since - interval '1 hour' where tool_call_id = ${toolCallId}`
  await sql`update sessions set reports = true, active_at = active_at - interval '1 hour' where key = ${below.key}`
  await reconcileSubAgents(server)
  expect(await sql`select state from calls where tool_call_id = ${toolCallId}`).toEqual([
    { state: 'answered' }
  ])
})

test('001-16: the cost of sub-agents counts in the parent’s turn, and against the session’s cap', async () => {
  const price = { inputPerMillion: 0, outputPerMillion: 1_000_000 }
  const { session, sql, ctx } = await sessionWithSubAgents(
    {
      script: async request =>
        lastMessageText(request).includes('birds')
          ? replyText('Seven.', { tokens: { input: 1, output: 3 } })
          : request.body.messages.at(-1)?.role === 'tool'
            ? replyText('Well.', { tokens: { input: 1, output: 1 } })
            : { ...replyCalls(task('birds')), tokens: { input: 1, output: 1 } }
    },
    { price, limits: { usdPerTurn: 100 } }
  )
  const ended = session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.send('go')
  await ended
  const [turn] = await sql<{ usd: number }[]>`
    select budget_usd as usd from turns where session_key = ${session.key} order by started_at desc limit 1`
  expect(turn?.usd).toBeCloseTo(5)
  expect(await sql`select session_key as key, usd from spending`).toEqual([{ key: session.key, usd: 5 }])
  await updateWorkspace(ctx, { spendCaps: { sessionPerDay: 5 } })
  await session.send('go')
  expect(await session.waitForCall('continue')).toMatchObject({ kind: 'limit' })
})

test('001-16: the askers of the parent’s turn are also askers of its sub-agent’s calls', async () => {
  const { session, child, saveAgent, actAs } = await sessionWithSubAgents()
  await saveAgent({
    agentId: 'test',
    displayName: 'Test',
    chat: {
      tools: [{ name: 'spawn-agent' }, { name: 'web-fetch', approval: 'ask', answer: { notAsker: true } }]
    }
  })
  await session.send(spawn({ task: 'use web-fetch {"url": "http://127.0.0.1:9/"}' }))
  const below = await child()
  const call = await below.waitForCall('web-fetch')
  await expect(below.answer(call, { approved: false })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await below.answer(call, { approved: false }, actAs('Bob'))
  expect(await below.waitForSettled(call)).toMatchObject({ state: 'denied', answeredBy: 'Bob' })
})
