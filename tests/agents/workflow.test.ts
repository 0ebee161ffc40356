import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { isToolPart } from '@waystation/protocol/session/message-parts.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('001-1: a message to an agent is stored as one of its messages before a model is called', async () => {
  const {
    startSession: openSession,
    saveAgent,
    model
  } = await startTestServer({ script: [replyText('Hello.')] })
  const session = await openSession(await saveAgent({}))
  await session.runTurn('Hi.')
  const log = await session.log()
  const [message, first] = [
    log.findIndex(({ type }) => type === 'message'),
    log.findIndex(({ type }) => type === 'chunk')
  ]
  expect(message).toBeGreaterThanOrEqual(0)
  expect(message).toBeLessThan(first)
  expect(JSON.stringify(model.requests[0]?.body.messages.at(-1))).toContain('Hi.')
})

test('001-2: an agent’s type says who handles it, and a server’s plugins are loaded once for all of its sessions', async () => {
  const externalServer = await startExternalSystem()
  vi.stubGlobal('pluginLoads', 0)
  onTestFinished(() => void vi.unstubAllGlobals())
  const plugin = "globalThis.pluginLoads++; export default { name: 'counted', hooks: () => ({}) }"
  const {
    ctx,
    startSession: openSession,
    saveAgent,
    reopenSession,
    model
  } = await startTestServer({
    script: [replyText('One.'), replyText('Two.')],
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({ 'counted.mjs': plugin }),
      WAYSTATION_EGRESS_ALLOW: externalServer.host
    }
  })
  const external = { type: 'external', external: { inputUrl: `${externalServer.url}/in` } }
  await createAgent(ctx, AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', ...external }))
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })
  await (await reopenSession('order-1')).send('Two crates.')
  expect(JSON.parse((await externalServer.request(0)).body).message.text).toBe('Two crates.')

  const pluggedAgent = await saveAgent({ chat: { plugins: [{ name: 'counted', onFailure: 'continue' }] } })
  for (const expectedText of ['One.', 'Two.']) {
    const session = await openSession(pluggedAgent)
    await session.runTurn('go')
    expect(await session.agentTexts()).toEqual([expectedText])
  }
  expect(model.requests).toHaveLength(2)
  expect((globalThis as { pluginLoads?: number }).pluginLoads).toBe(1)
})

test('001-6: text of users, agents and tools is in messages, and the session shows its status: idle, running, parked, idle', async () => {
  const { startSession: openSession, saveAgent } = await startTestServer({
    script: [replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }), replyText('Tea it is.')]
  })
  const session = await openSession(await saveAgent({ chat: { tools: [{ name: 'ask-question' }] } }))
  expect((await session.get()).session.status).toBe('idle')
  const parked = session.waitForEnd()
  await session.send('Something to drink.')
  const question = await session.waitForCall('ask-question')
  await parked
  expect((await session.get()).session).toMatchObject({ status: 'parked', waitingFor: [{ state: 'open' }] })
  await session.answer(question, { output: { answer: 'Yes' } })
  await session.waitForEnd()
  const view = await session.get()
  expect(view.session.status).toBe('idle')
  expect(view.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  const [tool] = view.messages[1]?.parts.filter(isToolPart) ?? []
  expect(tool).toMatchObject({ type: 'tool-ask-question', state: 'output-available' })
  const statuses = (await session.log()).flatMap(event => (event.type === 'status' ? [event.status] : []))
  expect(statuses.filter((status, n) => status !== statuses[n - 1])).toEqual([
    'running',
    'parked',
    'running',
    'idle'
  ])
})

test('001-22: a turn that is taken over between two steps continues, with each record stored once', async () => {
  const {
    startSession: openSession,
    saveAgent,
    startSecondServer,
    stopServer,
    reopenSession,
    model
  } = await startTestServer({
    script: [replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }), replyText('Tea it is.')]
  })
  const session = await openSession(await saveAgent({ chat: { tools: [{ name: 'ask-question' }] } }))
  const sent = await session.send('Something to drink.', { key: 'once' })
  const question = await session.waitForCall('ask-question')
  const { ctx } = await startSecondServer()
  await stopServer()
  const reopened = await reopenSession(session.id, ctx)
  expect(await reopened.send('Something to drink.', { key: 'once' })).toEqual(sent)
  for (let attempt = 0; attempt < 2; attempt++) await reopened.answer(question, { output: { answer: 'Yes' } })
  await reopened.waitForText('Tea it is.')
  await reopened.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  const { messages, calls: sessionCalls } = await reopened.get()
  expect(messages).toHaveLength(2)
  expect(sessionCalls).toHaveLength(1)
  expect(model.requests).toHaveLength(2)
})
