import { AgentConfig, UpdateAgent } from '@waystation/protocol/agent/agent.ts'
import { test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { reviewProposal } from '#lib/features/self-config/review-proposal.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { setOverlay } from '#lib/sessions/set-overlay.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const tools = [{ name: 'read_config' }, { name: 'commit_revision' }, { name: 'ask-question' }]
const selfConfig = { agentId: 'self', displayName: 'Self', chat: { instructions: 'Be brief.', tools } }

/**
 * Returns an agent that can change its own configuration, and a function that returns the error of a proposal.
 */
async function startServerWithSelfEditing() {
  const server = await startTestServer()
  await createAgent(server.ctx, AgentConfig.parse(selfConfig))
  const session = await server.startSession('self')
  const proposal = (chat: object, base = 'self@1') => ({
    base_revision_id: base,
    config: { displayName: 'Self', chat: { ...selfConfig.chat, ...chat } }
  })
  const proposes = async (chat: object, base?: string) => {
    await session.runTurn(`use commit_revision ${JSON.stringify(proposal(chat, base))}`)
    return (await session.get()).calls.at(-1)?.errorText
  }
  return { ...server, session, proposal, proposes }
}

test('errors explain why a proposal cannot be made', async () => {
  const { ctx, proposes } = await startServerWithSelfEditing()
  await expectSentences([
    ['nothing new', () => proposes({}), 'The proposal is identical to the published configuration.'],
    [
      'a revision that never was',
      () => proposes({ instructions: 'Be kind.' }, 'self@9'),
      '409: "self@9" is not a revision of this agent. The published revision is self@1. Call read_config again, apply your change to that version, and propose it.'
    ],
    [
      'no configuration',
      () => proposes({ model: 7 }),
      'This is not a valid configuration: chat.model: expected string, received number. Start from the configuration that read_config returns.'
    ],
    [
      'a revision that came meanwhile',
      async () => {
        await updateAgent(ctx, UpdateAgent.parse({ ...selfConfig, description: 'Changed.' }))
        return proposes({ instructions: 'Be late.' })
      },
      '409: self@2 is published now (by Ann). Your change is based on self@1. Call read_config again, apply your change to that version, and propose it.'
    ]
  ])
})

test('errors explain why a proposal cannot be reviewed', async () => {
  const { ctx, session, proposal, proposes } = await startServerWithSelfEditing()
  await session.runTurn('use ask-question {"question": "Tea?"}')
  const question = await session.waitForCall('ask-question')
  await session.answer(question, { output: { answer: 'Yes.' } })
  await session.waitForEnd()
  await proposes({ instructions: 'Be kind.' })
  const call = await session.waitForCall('commit_revision')
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  const operator = ctxFor({ kind: 'key', keyId: 'o', name: 'o', role: 'operator', workspaceId: 'default' })
  const review = (input: object, caller = ctx, target: { toolCallId: string } = call) =>
    reviewProposal(caller, {
      ...callParams,
      toolCallId: target.toolCallId,
      input: input as Record<string, unknown>
    })
  await expectSentences([
    ['by an operator', () => review(proposal({}), operator), 'Only owners and editors can approve this.'],
    [
      'of a call that is none',
      () => review(proposal({}), ctx, question),
      'Only a change that an agent proposes to its own configuration can be reviewed.'
    ],
    [
      'without its beginning',
      () => review({ config: proposal({}).config }),
      /^The edited arguments do not match the tool's schema: base_revision_id: /
    ]
  ])
})

test('errors explain why an overlay cannot be applied', async () => {
  const { ctx } = await startTestServer()
  const external = { type: 'external', external: { inputUrl: 'https://acme.example/in' } }
  await createAgent(ctx, AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', ...external }))
  await createSession(ctx, { agentId: 'acme', sessionId: 'order' })
  await expectSentences([
    [
      'another system',
      () => setOverlay(ctx, { sessionId: 'order', overlay: { tools: [], skills: [] } }),
      'Acme is an external agent, which cannot have an overlay.'
    ]
  ])
})
