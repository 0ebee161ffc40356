import { test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import { AgentConfig, UpdateAgent } from '#lib/protocol/agent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { layOverlay } from '#lib/sessions/lay-overlay.ts'
import { reviewProposal } from '#lib/sessions/review-proposal.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const tools = [{ name: 'read_config' }, { name: 'commit_revision' }, { name: 'ask-question' }]
const self = { agentId: 'self', displayName: 'Self', chat: { instructions: 'Be brief.', tools } }

/** An agent that may change its own configuration, and what it is told of a proposal. */
async function selfEditing() {
  const world = await testWorld()
  await createAgent(world.ctx, AgentConfig.parse(self))
  const session = await world.session('self')
  const proposal = (chat: object, base = 'self@1') => ({
    base_revision_id: base,
    config: { displayName: 'Self', chat: { ...self.chat, ...chat } }
  })
  const proposes = async (chat: object, base?: string) => {
    await session.says(`use commit_revision ${JSON.stringify(proposal(chat, base))}`)
    return (await session.get()).calls.at(-1)?.errorText
  }
  return { ...world, session, proposal, proposes }
}

test('the words for a proposal that cannot be made', async () => {
  const { ctx, proposes } = await selfEditing()
  await expectSentences([
    ['nothing new', () => proposes({}), 'Nothing is different from what is published.'],
    [
      'a revision that never was',
      () => proposes({ instructions: 'Be kind.' }, 'self@9'),
      '409: "self@9" is no revision of this agent; self@1 is published. Call read_config again, make your change to what is there now, and propose that.'
    ],
    [
      'no configuration',
      () => proposes({ model: 7 }),
      'That is not a configuration: chat.model Invalid input: expected string, received number. Begin with what read_config gives.'
    ],
    [
      'a revision that came meanwhile',
      async () => {
        await updateAgent(ctx, UpdateAgent.parse({ ...self, description: 'Changed.' }))
        return proposes({ instructions: 'Be late.' })
      },
      '409: self@2 was published meanwhile (Ann); yours began at self@1. Call read_config again, make your change to what is there now, and propose that.'
    ]
  ])
})

test('the words for a proposal that is reviewed', async () => {
  const { ctx, session, proposal, proposes } = await selfEditing()
  await session.says('use ask-question {"question": "Tea?"}')
  const question = await session.waitsFor('ask-question')
  await session.answer(question, { output: { answer: 'Yes.' } })
  await session.ends()
  await proposes({ instructions: 'Be kind.' })
  const call = await session.waitsFor('commit_revision')
  const inCall = { sessionId: session.id, toolCallId: call.toolCallId }
  const operator = ctxFor({ kind: 'key', keyId: 'o', name: 'o', role: 'operator', workspaceId: 'default' })
  const review = (input: object, by = ctx, at: { toolCallId: string } = call) =>
    reviewProposal(by, { ...inCall, toolCallId: at.toolCallId, input: input as Record<string, unknown> })
  await expectSentences([
    ['by an operator', () => review(proposal({}), operator), 'Only owners and editors may approve this.'],
    [
      'of a call that is none',
      () => review(proposal({}), ctx, question),
      'Only what an agent proposes for itself is reviewed.'
    ],
    [
      'without its beginning',
      () => review({ config: proposal({}).config }),
      /^The edited arguments do not fit this tool: base_revision_id: /
    ]
  ])
})

test('the words for an overlay that cannot be laid on', async () => {
  const { ctx } = await testWorld()
  const external = { type: 'external', external: { inputUrl: 'https://acme.example/in' } }
  await createAgent(ctx, AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', ...external }))
  await createSession(ctx, { agentId: 'acme', sessionId: 'order' })
  await expectSentences([
    [
      'another system',
      () => layOverlay(ctx, { sessionId: 'order', overlay: { tools: [], skills: [] } }),
      'Acme is another system: nothing can be laid over it here.'
    ]
  ])
})
