import { AgentConfig, UpdateAgent } from '@waystation/protocol/agent/agent.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { listSubAgents } from '#lib/features/delegation/list-sub-agents.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { setOverlay } from '#lib/sessions/set-overlay.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/** Returns a session of a reception agent that can hand over to billing, which can hand back. */
async function receptionSession(
  script: Reply[],
  reception: object = {},
  settings: Record<string, string> = {}
) {
  const server = await startTestServer({ script, settings })
  const agent = (agentId: string, displayName: string, chat: object, extra: object = {}) =>
    createAgent(server.ctx, AgentConfig.parse({ agentId, displayName, chat, ...extra }))
  await agent('reception', 'Reception', {
    instructions: 'You are the reception.',
    handoffs: ['billing'],
    ...reception
  })
  await agent(
    'billing',
    'Billing',
    { instructions: 'You are billing.', tools: [{ name: 'web-fetch' }], handoffs: ['reception'] },
    { description: 'Knows invoices.' }
  )
  return { ...server, session: await server.startSession('reception') }
}

const handoffCall = (target = 'billing', reason?: string) => ({
  name: `handoff_to_${target}`,
  input: reason === undefined ? {} : { reason }
})
const instructionsOf = ({ body }: ModelRequest) => JSON.stringify(body.messages[0]?.content)
const toolsOf = ({ body }: ModelRequest) =>
  (body as unknown as { tools?: { function: { name: string; description: string } }[] }).tools?.map(
    ({ function: { name } }) => name
  ) ?? []
const handOffsOf = async (session: TestSession): Promise<HandOff[]> =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-handoff' ? [part.data] : []))
  )

test('003-11: an agent hands the conversation over with its tool; the other agent continues with all of it', async () => {
  const { session, model, sql } = await receptionSession([
    replyCalls(handoffCall('billing', 'It is about an invoice.')),
    replyText('Your invoice is paid.'),
    replyText('Anything else?')
  ])
  expect(await session.runTurn('Is my invoice paid?')).toMatchObject({ outcome: 'done' })
  const [first, second] = model.requests as [ModelRequest, ModelRequest]
  expect(instructionsOf(first)).toContain('You are the reception.')
  expect(toolsOf(first)).toEqual(['handoff_to_billing'])
  expect(JSON.stringify(first.body)).toContain('Billing: Knows invoices.')
  expect(instructionsOf(second)).toContain('You are billing.')
  expect(toolsOf(second)).toEqual(['web-fetch', 'handoff_to_reception'])
  expect(JSON.stringify(second.body.messages)).toMatch(/Is my invoice paid\?.*handedTo.*Billing/)

  const view = await session.get()
  expect(view.session).toMatchObject({
    agentId: 'reception',
    speaker: { agentId: 'billing', displayName: 'Billing' }
  })
  expect(view.messages[1]?.metadata).toMatchObject({ agentId: 'billing', revision: 1 })
  expect(await handOffsOf(session)).toEqual([
    {
      from: 'reception',
      fromName: 'Reception',
      to: 'billing',
      toName: 'Billing',
      by: { kind: 'agent' },
      reason: 'It is about an invoice.',
      at: expect.any(String)
    }
  ])
  const parts = view.messages[1]?.parts.map(({ type }) => type) ?? []
  expect(parts.indexOf('data-handoff')).toBeGreaterThan(parts.indexOf('tool-handoff_to_billing'))
  expect(parts.indexOf('text')).toBeGreaterThan(parts.indexOf('data-handoff'))

  expect(await session.runTurn('And the next one?')).toMatchObject({ outcome: 'done' })
  expect(instructionsOf(model.requests[2] as ModelRequest)).toContain('You are billing.')
  expect(await handOffsOf(session)).toHaveLength(1)
  await expectValidSessions(sql)
})

test('003-11: a conversation is handed back the same way, each handoff counts against the limits, and agents cannot loop forever', async () => {
  const roundTrip = [replyCalls(handoffCall('billing')), replyCalls(handoffCall('reception'))]
  const { session, model, sql } = await receptionSession([...roundTrip, ...roundTrip, ...roundTrip], {
    limits: { stepsPerTurn: 4 }
  })
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'parked' })
  expect(model.requests).toHaveLength(4)
  const view = await session.get()
  expect(view.calls.at(-1)).toMatchObject({ kind: 'limit', state: 'open' })
  expect(view.session.speaker).toBeUndefined()
  expect((await handOffsOf(session)).map(({ to: target }) => target)).toEqual([
    'billing',
    'reception',
    'billing'
  ])
  expect(view.messages[1]?.metadata?.agentId).toBe('billing')
  await expectValidSessions(sql)
})

test('003-11: only one handoff per step takes effect; one to a missing agent is an error for the model', async () => {
  const { session, ctx, sql } = await receptionSession(
    [
      replyCalls(handoffCall('nobody')),
      replyCalls(handoffCall('billing'), handoffCall('second')),
      replyText('Done.')
    ],
    { handoffs: ['billing', 'second', 'nobody'] }
  )
  await createAgent(ctx, AgentConfig.parse({ agentId: 'second', displayName: 'Second' }))
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
  const results = (await session.get()).calls.map(call => call.output ?? call.errorText)
  expect(results[0]).toEqual(expect.stringContaining('"nobody"'))
  const succeeded = results.slice(1).filter(result => typeof result === 'object')
  expect(succeeded).toHaveLength(1)
  expect(results.slice(1).filter(result => typeof result === 'string')).toHaveLength(1)
  expect(await handOffsOf(session)).toHaveLength(1)
  await expectValidSessions(sql)
})

test('003-11: an agent has no tool to hand off to itself, also after a handoff', async () => {
  const { session, model } = await receptionSession(
    [replyCalls(handoffCall()), replyText('Hello from billing.')],
    { handoffs: ['billing', 'reception'] }
  )
  await session.runTurn('my invoice is wrong')
  expect(model.requests.map(toolsOf)).toMatchObject([
    ['handoff_to_billing'],
    expect.arrayContaining(['handoff_to_reception'])
  ])
})

test('the active agent delegates to agents of its own kind, and proposes changes to itself, not to the session’s agent', async () => {
  const { session, ctx, sql } = await receptionSession([
    replyCalls(handoffCall('billing')),
    replyCalls({ name: 'spawn-agent', input: { task: 'Count.' } }, { name: 'read_config', input: {} }),
    replyText('Three.'),
    replyText('Counted.')
  ])
  const chat = {
    instructions: 'You are billing.',
    tools: [{ name: 'spawn-agent' }, { name: 'read_config' }]
  }
  await updateAgent(ctx, UpdateAgent.parse({ agentId: 'billing', displayName: 'Billing', chat }))
  const done = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.send('Count them.')
  await done
  const { subAgents } = await listSubAgents(ctx, { sessionId: session.id })
  expect(subAgents).toMatchObject([{ agentId: 'billing' }])
  const readCall = (await session.get()).calls.find(({ toolName }) => toolName === 'read_config')
  expect(readCall?.output).toMatchObject({ base_revision_id: 'billing@2' })
  await expectValidSessions(sql)
})

test('a branch keeps the active agent of its origin; a new generation of a session starts with its own agent', async () => {
  const { session, ctx, model } = await receptionSession([
    replyCalls(handoffCall('billing')),
    replyText('Here.'),
    replyText('There.')
  ])
  await session.runTurn('hello')
  const { messages } = await session.get()
  const branch = await branchSession(ctx, {
    sessionId: session.id,
    messageId: messages.at(-1)?.id ?? ''
  })
  expect((await getSession(ctx, { sessionId: branch.sessionId })).session.speaker?.agentId).toBe('billing')

  await deleteSession(ctx, { sessionId: session.id })
  await createSession(ctx, { agentId: 'reception', sessionId: session.id })
  expect((await getSession(ctx, { sessionId: session.id })).session.speaker).toBeUndefined()
  expect(model.requests).toHaveLength(2)
})

test('a call that an agent left for approval runs with that agent’s settings, even after a handoff', async () => {
  const { session, ctx, sql } = await receptionSession(
    [
      replyCalls({ name: 'wiki-list-tiddlers', input: { wiki: 'closed' } }, handoffCall('billing')),
      replyText('Here you are.')
    ],
    { tools: [{ name: 'wiki-list-tiddlers', approval: 'ask', wikis: ['open'] }] }
  )
  for (const name of ['open', 'closed']) {
    await createWiki(ctx, { name })
    await importWiki(ctx, { wiki: name, file: 'a.json', text: JSON.stringify([{ title: `Of ${name}` }]) })
  }
  await session.send('List it.')
  const call = await session.waitForCall('wiki-list-tiddlers')
  await session.waitForEvent(event => event.type === 'session' && event.speaker?.agentId === 'billing')
  const done = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.answer(call, { approved: true })
  await done
  const finishedCall = (await session.get()).calls.find(({ toolCallId }) => toolCallId === call.toolCallId)
  expect(finishedCall?.errorText).toMatch(/open/)
  expect(JSON.stringify(finishedCall)).not.toContain('Of closed')
  await expectValidSessions(sql)
})

/** Writes a plugin that gives the second round to another agent, and returns the setting for it. */
const routerSettings = async (target: string) => ({
  WAYSTATION_PLUGINS: await pluginFolder({
    'router.mjs': `export default { name: 'router', hooks: () => ({
      afterModel: ({ text }, { actions }) => { if (!text.startsWith('Done')) actions.yieldNextRoundTo = '${target}' }
    }) }`
  })
})
const chatWithRouter = { plugins: [{ name: 'router' }] }

test('001-9: a hook gives the next round to another agent, which learns of the handoff', async () => {
  const { session, model, sql } = await receptionSession(
    [replyText('Billing will see to it.'), replyText('Done.')],
    chatWithRouter,
    await routerSettings('agent:billing')
  )
  expect(await session.runTurn('Is it paid?')).toMatchObject({ outcome: 'done' })
  expect(instructionsOf(model.requests[1] as ModelRequest)).toContain('You are billing.')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/Reception.*Billing/)
  expect(await handOffsOf(session)).toMatchObject([{ to: 'billing', by: { kind: 'plugin', name: 'router' } }])
  await expectValidSessions(sql)
})

test('001-9: a handoff by a hook to a missing agent is reported, and the user has the next round', async () => {
  const { session, model, sql } = await receptionSession(
    [replyText('Hm.')],
    chatWithRouter,
    await routerSettings('agent:nobody')
  )
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(1)
  const hooks = (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-hook' ? [part.data] : []))
  )
  expect(hooks).toMatchObject([
    { plugin: 'router', outcome: 'failed', words: expect.stringContaining('"nobody"') }
  ])
  expect((await session.get()).session.speaker).toBeUndefined()
  await expectValidSessions(sql)
})

test('001-9: a handoff to the user: tool results of the round wait for the next message', async () => {
  const { session, model, sql } = await receptionSession(
    [replyCalls({ name: 'wiki-recent', input: {} }), replyText('Done.')],
    { ...chatWithRouter, tools: [{ name: 'wiki-recent' }] },
    await routerSettings('human')
  )
  expect(await session.runTurn('look')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(1)
  const [call] = (await session.get()).calls
  expect(call).toMatchObject({ toolName: 'wiki-recent' })
  expect(call?.state).not.toBe('open')
  expect(await session.runTurn('and?')).toMatchObject({ outcome: 'done' })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/wiki-recent.*and\?/)
  await expectValidSessions(sql)
})

test('a user hands a session over and back: pins and overlays belong to its own agent, and do not apply meanwhile', async () => {
  const { session, model, ctx, sql } = await receptionSession([replyText('One.'), replyText('Two.')])
  const params = { sessionId: session.id }
  const handTo = (agentId: string, reason?: string) =>
    callEndpoint(sessionOperations.handOff, { params, body: { agentId, ...(reason && { reason }) } })
  await setOverlay(ctx, {
    sessionId: session.id,
    overlay: { tools: [{ name: 'alarm-clock' }], skills: [] }
  })
  expect(await handTo('billing', 'They know.')).toEqual({
    status: 200,
    body: { sessionId: session.id, speaker: { agentId: 'billing', displayName: 'Billing' } }
  })
  await session.runTurn('hello')
  expect(instructionsOf(model.requests[0] as ModelRequest)).toContain('You are billing.')
  expect(toolsOf(model.requests[0] as ModelRequest)).not.toContain('alarm-clock')
  expect(await handOffsOf(session)).toMatchObject([
    { to: 'billing', by: { kind: 'person' }, reason: 'They know.' }
  ])
  const layOverlayAttempt = setOverlay(ctx, { sessionId: session.id, overlay: { tools: [], skills: [] } })
  await expect(layOverlayAttempt).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Billing')
  })

  expect((await handTo('reception')).status).toBe(200)
  await session.runTurn('and now?')
  expect(instructionsOf(model.requests[1] as ModelRequest)).toContain('You are the reception.')
  expect(toolsOf(model.requests[1] as ModelRequest)).toContain('alarm-clock')
  await expectValidSessions(sql)
})

test('a session can be handed only to an agent of its workspace, and one of an external agent not at all', async () => {
  const { session, ctx } = await receptionSession([])
  const external = { type: 'external', external: { inputUrl: 'https://acme.example/in' } }
  await createAgent(ctx, AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', ...external }))
  const handSessionTo = async (sessionId: string, agentId: string) => {
    const { status, body } = await callEndpoint(sessionOperations.handOff, {
      params: { sessionId },
      body: { agentId }
    })
    return [status, body.code]
  }
  expect(await handSessionTo(session.id, 'nobody')).toEqual([404, 'NOT_FOUND'])
  expect(await handSessionTo('nowhere', 'billing')).toEqual([404, 'NOT_FOUND'])
  await callEndpoint(sessionOperations.create, { body: { agentId: 'acme', sessionId: 'order-1' } })
  expect(await handSessionTo('order-1', 'billing')).toEqual([422, 'INVALID_INPUT'])
})
