import { notFound } from '@waystation/base/api-error.ts'
import { expect, test } from 'vitest'
import { accountOwner } from '#lib/features/connections/account-owner.ts'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const names = ['list_sessions', 'get_session_state', 'send_out_of_band']
const tools = [...names, 'spawn-agent', 'ask-question'].map(name => ({ name }))
type Listed = {
  sessionId: string
  title: string
  status: string
  waitingFor: string[]
  parentSessionId?: string
}

/** Returns a server whose demo agents have the tools for sessions. */
async function serverWithTools() {
  const server = await startTestServer()
  await server.saveAgent({ chat: { tools } })
  const create = (sessionId: string, more: { subject?: string; title?: string } = {}) =>
    createSession(server.ctx, { agentId: 'test', sessionId, ...more })
  /** Makes the agent of a session call a tool, and returns the settled call. */
  const use = async (sessionId: string, tool: string, input: object = {}) => {
    const session = await server.reopenSession(sessionId)
    await session.runTurn(`use ${tool} ${JSON.stringify(input)}`)
    return (await session.get()).calls.findLast(call => call.toolName === tool)
  }
  const list = async (sessionId: string, input: object = {}) =>
    (await use(sessionId, 'list_sessions', input))?.output as { sessions: Listed[]; more: boolean }
  const idsFor = async (sessionId: string, input: object = {}) =>
    (await list(sessionId, input)).sessions.map(listed => listed.sessionId)
  return { ...server, create, use, list, idsFor }
}

test("004-11: an agent sees the workspace's sessions, but none of an end user, whose agent sees only that end user's", async () => {
  const server = await serverWithTools()
  for (const id of ['one', 'two']) await server.create(id)
  for (const id of ['ada-1', 'ada-2']) await server.create(id, { subject: 'ada' })
  await server.create('bob-1', { subject: 'bob' })
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'x')`
  await server.sql`insert into agents (workspace_id, id, config) select 'other', id, config from agents where id = 'test'`
  await createSession(server.actAs('Owner', 'other'), { agentId: 'test', sessionId: 'theirs' })

  expect(await server.idsFor('one')).toEqual(expect.arrayContaining(['two']))
  for (const id of ['ada-1', 'bob-1', 'theirs', 'one']) expect(await server.idsFor('one')).not.toContain(id)
  expect(await server.idsFor('ada-1')).toEqual(['ada-2'])
  expect(await server.idsFor('bob-1')).toEqual([])
  await expectValidSessions(server.sql)
})

test('004-11: a session that an agent cannot see gets the same error as one that does not exist, and no message', async () => {
  const server = await serverWithTools()
  await server.create('one')
  for (const id of ['ada-1', 'ada-2']) await server.create(id, { subject: 'ada' })
  for (const tool of ['get_session_state', 'send_out_of_band'])
    for (const [from, to] of [
      ['one', 'ada-1'],
      ['ada-1', 'one'],
      ['one', 'missing']
    ] as const) {
      const content = tool === 'send_out_of_band' ? { content: 'Hello.' } : {}
      const call = await server.use(from, tool, { sessionId: to, ...content })
      expect(call).toMatchObject({ state: 'failed', errorText: notFound('session', to).message })
    }
  expect(await listOutOfBand(server.ctx, { sessionId: 'ada-1' })).toEqual({ messages: [] })
  const allowed = await server.use('ada-1', 'send_out_of_band', { sessionId: 'ada-2', content: 'Hello.' })
  expect(allowed).toMatchObject({ state: 'answered' })
})

test('001-16, 004-11: parent and sub-agent know the session of each other, and agents outside of the tree do not see it', async () => {
  const server = await serverWithTools()
  for (const id of ['parent', 'stranger']) await server.create(id)
  const parent = await server.reopenSession('parent')
  await parent.send('use spawn-agent {"task": "ask me whether to stop", "background": true}')
  const { render } = await parent.waitForCall('spawn-agent')
  const childId = render?.sessionId as string
  await parent.waitForEnd()
  await parent.waitForEvent(event => event.type === 'session' && event.subAgents?.all === 1)
  const { shown } = await getContext(server.ctx, { sessionId: 'parent' })
  expect(JSON.stringify(shown)).toContain(childId)
  const child = await server.reopenSession(childId)
  await child.waitForCall('ask-question')

  expect((await server.list('parent')).sessions).toContainEqual(
    expect.objectContaining({ sessionId: childId, status: 'parked', parentSessionId: 'parent' })
  )
  const own = await server.use('parent', 'get_session_state', { sessionId: 'parent' })
  expect(own?.output).toMatchObject({ pendingCalls: [{ toolName: 'spawn-agent', sessionId: childId }] })
  expect(await server.idsFor('stranger')).not.toContain(childId)
  expect(await server.use('stranger', 'get_session_state', { sessionId: childId })).toMatchObject({
    state: 'failed'
  })
})

test("004-11: the instructions name the agent's session, its title and its parent, only if a tool of the agent is about sessions", async () => {
  const prompts = new Map<string, string>()
  const isTask = ({ body }: ModelRequest) => JSON.stringify(body.messages.at(-1)).includes('The sub-task.')
  const server = await startTestServer({
    script: request => {
      const system = JSON.stringify(request.body.messages[0]?.content)
      prompts.set(isTask(request) ? 'child' : 'own', system)
      const isFirst = request.body.messages.length === 2
      return isFirst && !isTask(request) && request.body.tools !== undefined
        ? replyCalls({ name: 'spawn-agent', input: { task: 'The sub-task.' } })
        : replyText('Done.')
    }
  })
  const runWith = async (sessionId: string, toolNames: string[]) => {
    await server.saveAgent({ chat: { tools: toolNames.map(name => ({ name })) } })
    await createSession(server.ctx, { agentId: 'test', sessionId, title: 'Say "hi" <note>' })
    const session = await server.reopenSession(sessionId)
    const ended = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
    await session.send('go')
    await ended
  }
  await runWith('mine', ['spawn-agent', 'send_out_of_band'])
  expect(prompts.get('own')).toContain('mine')
  expect(prompts.get('own')).toContain('hi')
  expect(prompts.get('own')).not.toContain('<note>"')
  expect(prompts.get('child')).toMatch(/sub_\w+.*mine/)
  prompts.clear()
  await runWith('other', ['spawn-agent'])
  expect(prompts.get('own')).not.toContain('session other')
  expect(prompts.get('child')).not.toContain('sub_')
})

test('004-11: the list is filtered and bounded, newest first, and says what each session waits for', async () => {
  const server = await serverWithTools()
  await server.create('seeker')
  for (const n of [1, 2, 3]) await server.create(`ship-${n}`, { title: `Ship ${n}` })
  const waiting = await server.reopenSession('ship-2')
  await waiting.runTurn('ask me whether to sail')
  await waiting.waitForCall('ask-question')

  const all = await server.list('seeker', { query: 'SHIP', limit: 2 })
  expect(all).toMatchObject({
    sessions: [{ sessionId: 'ship-2', status: 'parked', waitingFor: ['Sail?'] }, { title: 'Ship 3' }],
    more: true
  })
  expect(await server.idsFor('seeker', { status: 'parked' })).toEqual(['ship-2'])
  expect(await server.idsFor('seeker', { agentId: 'nobody-here' })).toEqual([])
  const tooMany = await server.use('seeker', 'list_sessions', { limit: 51 })
  expect(tooMany).toMatchObject({ state: 'failed' })
})

test('004-11: the state of a session has its pending calls, the start of its last message and the number of messages that wait', async () => {
  const server = await serverWithTools()
  for (const id of ['seeker', 'busy']) await server.create(id)
  const busy = await server.reopenSession('busy')
  await busy.runTurn(`say ${'long '.repeat(200)}\nask me whether to sail`)
  await server.use('seeker', 'send_out_of_band', { sessionId: 'busy', content: 'The wind has turned.' })
  const { output } = (await server.use('seeker', 'get_session_state', { sessionId: 'busy' }))!
  expect(output).toMatchObject({
    sessionId: 'busy',
    status: 'parked',
    agentId: 'test',
    pendingCalls: [{ toolName: 'ask-question', title: 'Sail?' }],
    lastMessage: { role: 'assistant', text: expect.stringMatching(/^long long/) },
    outOfBand: { waiting: 1, held: 0 },
    sentByYou: [{ status: 'visible', content: 'The wind has turned.' }]
  })
  expect((output as { lastMessage: { text: string } }).lastMessage.text.length).toBeLessThanOrEqual(501)
})

test("an agent that read another session uses a user's account only with the user's consent", async () => {
  const server = await serverWithTools()
  for (const id of ['mine', 'other']) await server.create(id)
  const [bob, ann] = ['Bob', 'Ann'].map(name => ({
    ...server.ctx,
    actor: { kind: 'person', userId: name, name, role: 'owner', workspaceId: 'default' } as const
  }))
  await (await server.reopenSession('other', bob)).runTurn('say hello')
  const mine = await server.reopenSession('mine', ann)
  await mine.runTurn('say hello')
  const session = { sessionKey: mine.key, workspaceId: 'default' }
  expect(await accountOwner(server.ctx, session)).toEqual({ id: 'person:Ann', name: 'Ann' })
  await mine.runTurn('use get_session_state {"sessionId": "other"}')
  expect(await accountOwner(server.ctx, session)).toMatchObject({
    name: 'Ann',
    others: expect.arrayContaining(['Bob', 'another agent'])
  })
})

test('004-3, 004-11: with the seeded agents and the demo model, one agent finds another, which acknowledges its message', async () => {
  const { ctx, reopenSession } = await startTestServer()
  for (const sessionId of ['scout', 'ship']) await createSession(ctx, { agentId: 'guide', sessionId })
  const ship = await reopenSession('ship')
  await ship.runTurn('say We sail at noon.')
  const scout = await reopenSession('scout')
  await scout.runTurn('list sessions')
  expect((await scout.agentTexts()).at(-1)).toContain('`ship`')
  const acknowledged = ship.waitForNextEvent(
    event => event.type === 'oob' && event.message.status === 'acknowledged'
  )
  await scout.runTurn('urgently tell session ship that the harbor is closed')
  expect(await acknowledged).toMatchObject({
    message: { sourceId: 'scout', content: 'The harbor is closed', effect: expect.any(String) }
  })
  await ship.waitForEnd()
  await scout.runTurn('show session ship')
  const [message] = (await listOutOfBand(ctx, { sessionId: 'ship' })).messages
  expect((await scout.agentTexts()).at(-1)).toContain(message?.effect?.slice(0, -1))
})
