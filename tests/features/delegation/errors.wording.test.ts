import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { setOverlay } from '#lib/sessions/set-overlay.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const external = { type: 'external', external: { inputUrl: 'https://acme.example/in' } }
const chat = (instructions: string, handoffs: string[] = []) => ({ chat: { instructions, handoffs } })
const createAgentFor = (ctx: Ctx, agentId: string, displayName: string, extra: object) =>
  createAgent(ctx, AgentConfig.parse({ agentId, displayName, ...extra }))
const failuresOf = async (session: TestSession) =>
  (await session.get()).calls.flatMap(({ errorText }) => errorText ?? [])

test('errors explain why a conversation cannot be handed over', async () => {
  const handoffCall = (target: string) => ({ name: `handoff_to_${target}`, input: {} })
  const { ctx, startSession: openSession } = await startTestServer({
    script: [replyCalls(handoffCall('billing'), handoffCall('billing')), replyText('Billing here.')]
  })
  await createAgentFor(ctx, 'reception', 'Reception', chat('Receive.', ['billing']))
  await createAgentFor(ctx, 'billing', 'Billing', chat('Bill.'))
  await createAgentFor(ctx, 'acme', 'Acme', external)
  await createSession(ctx, { agentId: 'acme', sessionId: 'order' })
  const session = await openSession('reception')
  const sessionId = session.id
  await session.runTurn('My invoice, and is it there?')
  await expectSentences([
    [
      'twice in one step',
      async () => (await failuresOf(session)).at(-1),
      'This conversation was already handed off to Billing.'
    ],
    [
      'an overlay while another agent speaks',
      () => setOverlay(ctx, { sessionId, overlay: { tools: [], skills: [] } }),
      "Billing has taken over this session, and an overlay applies only to the session's own agent. Hand the session back first."
    ],
    [
      'from another system',
      () => handOffSession(ctx, { sessionId: 'order', agentId: 'billing' }),
      'This session belongs to an external agent, so it cannot be handed off.'
    ]
  ])
})

test('errors explain why a sub-agent cannot start, or did not finish', async () => {
  const task = (extra: object = {}) => ({ name: 'spawn-agent', input: { task: 'Count birds.', ...extra } })
  const script = {
    many: replyCalls(...Array.from({ length: 9 }, () => task())),
    others: replyCalls(task({ agentId: 'gone' }))
  }
  const {
    saveAgent,
    startSession: openSession,
    model
  } = await startTestServer({
    script: ({ body }) => {
      const last = JSON.stringify(body.messages.at(-1))
      if (last.includes('many')) return script.many
      if (last.includes('others')) return script.others
      return last.includes('Count birds.') ? replyThenHold('One') : replyText('Well.')
    }
  })
  const tools = [{ name: 'spawn-agent', agents: ['gone'] }]
  await saveAgent({ chat: { tools } })
  const failed = async (text: string) => {
    const session = await openSession('test')
    await session.send(text)
    await session.waitForEvent(event => event.type === 'call' && event.call.state === 'failed')
    return (await failuresOf(session)).join('\n')
  }
  await expectSentences([
    [
      'a ninth one',
      () => failed('many'),
      '8 sub-agents already work for you, which is the limit. Wait for one of them.'
    ],
    ['an agent that is gone', () => failed('others'), 'There is no agent "gone" in this workspace.']
  ])
  model.release()
})

test('an error explains that a sub-agent failed', async () => {
  const { saveAgent, startSession: openSession } = await startTestServer()
  await saveAgent({ chat: { tools: [{ name: 'spawn-agent' }] } })
  const session = await openSession('test')
  const turnDone = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.send('use spawn-agent {"task": "fail 400"}')
  await turnDone
  await expectSentences([
    [
      'its model rejects the request',
      async () => (await failuresOf(session))[0],
      'The sub-agent failed: The model provider rejected the request (400): “The demo model failed with 400, as requested.”'
    ]
  ])
})
