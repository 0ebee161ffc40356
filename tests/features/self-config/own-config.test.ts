import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { getAgent } from '#lib/agents/get.ts'
import { getDraft } from '#lib/agents/get-draft.ts'
import { getRevision } from '#lib/agents/get-revision.ts'
import { buildKit } from '#lib/agents/overlay/build-kit.ts'
import { saveDraft } from '#lib/agents/save-draft.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { reviewProposal } from '#lib/features/self-config/review-proposal.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import type { CommitRevision } from '#lib/protocol/agent/own-config.ts'
import { type AnswerPolicy, denialReason } from '#lib/protocol/call/answerers.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** An agent that may read and change its own configuration, and a session of it. */
async function selfEditing(approval?: 'auto', answer?: AnswerPolicy, agents?: AnswerPolicy) {
  const world = await testWorld()
  const tools = [
    { name: 'read_config' },
    { name: 'commit_revision', ...(approval && { approval }), ...(answer && { answer }) }
  ]
  const chat = { instructions: 'Be brief.', tools, ...(agents && { answer: agents }) }
  await createAgent(world.ctx, AgentConfig.parse({ agentId: 'self', displayName: 'Self', chat }))
  const { sessionId } = await createSession(world.ctx, { agentId: 'self' })
  const session = await world.reopen(sessionId)
  const read = async () => {
    await session.says('use read_config {}')
    const { calls } = await session.get()
    return calls.at(-1)?.output as { base_revision_id: string; config: { chat: Record<string, unknown> } }
  }
  /** Proposes what the configuration is with this in its chat. */
  const proposes = async (change: object, base?: string) => {
    const { base_revision_id, config } = await read()
    const proposal = {
      base_revision_id: base ?? base_revision_id,
      config: { ...config, chat: { ...config.chat, ...change } },
      note: 'As asked.'
    }
    const end = await session.says(`use commit_revision ${JSON.stringify(proposal)}`)
    const { calls } = await session.get()
    return { end, call: calls.at(-1) as Call }
  }
  const published = () => getAgent(world.ctx, { agentId: 'self' })
  return { ...world, session, read, proposes, published }
}

const withFetch = [{ name: 'read_config' }, { name: 'commit_revision' }, { name: 'web-fetch' }]

test('an agent reads its own configuration with the revision that it is (002-3)', async () => {
  const { read } = await selfEditing()
  expect(await read()).toMatchObject({
    base_revision_id: 'self@1',
    version: 1,
    config: { displayName: 'Self', chat: { instructions: 'Be brief.' } }
  })
})

test('a proposal waits for a person with what would be different; approved, it is published and told to every page (002-3, 002-16)', async () => {
  const { session, proposes, published, ctx } = await selfEditing()
  const { end, call } = await proposes({ tools: withFetch })
  expect(end.outcome).toBe('parked')
  expect(call).toMatchObject({
    kind: 'approval',
    render: { kind: 'config-diff', widens: [expect.stringContaining('web-fetch')] }
  })
  expect(await published()).toMatchObject({ revision: 1 })
  const ended = session.ends()
  await session.answer(call, { approved: true })
  expect((await ended).revisions?.at(-1)).toBe(2)
  const committed = { variantId: 'self', revisionId: 'self@2', version: 2 }
  await session.sees(
    event =>
      event.type === 'chunk' &&
      event.chunk.type === 'data-committed-revision' &&
      JSON.stringify(event.chunk.data) === JSON.stringify(committed)
  )
  const revision = await getRevision(ctx, { agentId: 'self', revision: 2 })
  expect(revision).toMatchObject({ source: 'agent', savedBy: 'Self, approved by Ann', note: 'As asked.' })
  const { messages } = await session.get()
  expect(
    messages.flatMap(({ parts }) => parts).find(part => part.type === 'data-committed-revision')
  ).toMatchObject({
    data: committed
  })
})

test('what an agent publishes of itself leaves the draft alone that somebody works on', async () => {
  const { proposes, published, ctx } = await selfEditing('auto')
  const config = AgentConfig.parse({
    agentId: 'self',
    displayName: 'Self',
    chat: { instructions: 'A draft.' }
  })
  await saveDraft(ctx, { agentId: 'self', config, base: 1 })
  expect((await proposes({ instructions: 'Be kind.' })).call).toMatchObject({ output: { version: 2 } })
  expect(await published()).toMatchObject({ revision: 2, chat: { instructions: 'Be kind.' } })
  expect(await getDraft(ctx, { agentId: 'self' })).toMatchObject({
    draft: { base: 1, config: { chat: { instructions: 'A draft.' } } }
  })
})

test('a person may edit what is proposed, and what they made of it is published', async () => {
  const { session, proposes, published } = await selfEditing()
  const { call } = await proposes({ instructions: 'Be very long.' })
  const input = call.input as { config: { chat: object } }
  const edited = {
    ...input,
    config: { ...input.config, chat: { ...input.config.chat, instructions: 'Be kind.' } }
  }
  const ended = session.ends()
  await session.answer(call, { approved: true, input: edited })
  await ended
  expect(await published()).toMatchObject({ revision: 2, chat: { instructions: 'Be kind.' } })
})

test('what somebody edits of a proposal is judged as it will be when they approve it, and nothing is written', async () => {
  const { session, proposes, published, ctx } = await selfEditing()
  const { call } = await proposes({ instructions: 'Be kind.' })
  const inCall = { sessionId: session.id, toolCallId: call.toolCallId }
  const { base_revision_id } = call.input as CommitRevision
  // What is left out has its default, as it had when the agent was made.
  const config = { displayName: 'Self', chat: { instructions: 'Be brief.', tools: withFetch } }
  expect(await reviewProposal(ctx, { ...inCall, input: { base_revision_id, config } })).toMatchObject({
    changes: [{ kind: 'added', path: ['chat', 'tools', 'web-fetch'] }],
    widens: [expect.stringContaining('web-fetch')]
  })
  const refused: [object, string, RegExp][] = [
    [
      { base_revision_id, config: { displayName: 'Self', chat: { tools: 'all' } } },
      'INVALID_INPUT',
      /chat.tools/
    ],
    [{ base_revision_id: 'self@7', config }, 'CONFLICT', /self@7/],
    [{ config }, 'INVALID_INPUT', /base_revision_id/]
  ]
  for (const [input, code, message] of refused)
    await expect(reviewProposal(ctx, { ...inCall, input: { ...input } })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message)
    })
  const operator = ctxFor({
    kind: 'key',
    keyId: 'o',
    name: 'o',
    role: 'operator',
    workspaceId: ctx.workspaceId
  })
  await expect(
    reviewProposal(operator, { ...inCall, input: { base_revision_id, config } })
  ).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  expect(await published()).toMatchObject({ revision: 1 })
  expect((await session.get()).calls.at(-1)?.state).toBe('open')
})

test('whoever may not change agents may not approve a proposal, edited or as it is', async () => {
  const { session, proposes, published, ctx, reopen } = await selfEditing()
  const { call } = await proposes({ instructions: 'Be kind.' })
  const workspaceId = ctx.workspaceId
  const by = (role: 'operator' | 'editor'): Ctx =>
    ctxFor({ kind: 'key', keyId: role, name: role, role, workspaceId })
  const operator = await reopen(session.id, by('operator'))
  for (const answer of [{ approved: true }, { approved: true, input: call.input }] as const)
    await expect(operator.answer(call, answer)).rejects.toMatchObject({
      code: 'FORBIDDEN'
    })
  expect(
    denialReason(
      { kind: 'approval', answerers: (await session.get()).calls.at(-1)?.answerers },
      { unknown: true }
    )
  ).toBeDefined()
  expect(await published()).toMatchObject({ revision: 1 })
  const ended = session.ends()
  await (await reopen(session.id, by('editor'))).answer(call, { approved: true })
  await ended
  expect(await published()).toMatchObject({ revision: 2 })
})

test('an agent’s own word for who may approve its proposals counts', async () => {
  const { session, proposes } = await selfEditing(undefined, { roles: ['operator'] })
  const { call } = await proposes({ instructions: 'Be kind.' })
  expect((await session.get()).calls.at(-1)).toMatchObject({
    toolCallId: call.toolCallId,
    answerers: { roles: ['operator'] }
  })
})

test.each<[AnswerPolicy, object]>([
  [
    { roles: ['operator'], links: true },
    { roles: ['owner', 'editor'], links: false }
  ],
  [{ people: ['bob'] }, { roles: ['owner', 'editor'], links: false }],
  [{ links: true }, { roles: ['owner', 'editor'], links: false }],
  [{ roles: ['owner', 'operator'] }, { roles: ['owner'], links: false }],
  [{ notAsker: true }, { roles: ['owner', 'editor'], askers: expect.anything() }]
])(
  'who may answer the agent otherwise (%j) may not approve its proposals for that',
  async (agents, answerers) => {
    const { session, proposes } = await selfEditing(undefined, undefined, agents)
    await proposes({ instructions: 'Be kind.' })
    expect((await session.get()).calls.at(-1)).toMatchObject({ toolName: 'commit_revision', answerers })
    expect((await session.get()).calls.at(-1)?.answerers).not.toHaveProperty('people')
  }
)

test('declined, nothing is published', async () => {
  const { session, proposes, published } = await selfEditing()
  const { call } = await proposes({ instructions: 'Be rude.' })
  const ended = session.ends()
  await session.answer(call, { approved: false, reason: 'No.' })
  await ended
  expect(await published()).toMatchObject({ revision: 1, chat: { instructions: 'Be brief.' } })
})

test('a proposal that began at another revision is a conflict, told at once and asked of nobody', async () => {
  const { proposes, ctx, published } = await selfEditing()
  const {
    revision: _,
    updatedAt: __,
    additional_context: ___,
    ...config
  } = (await published()) as never as {
    revision: number
    updatedAt: string
    additional_context: unknown
  }
  await updateAgent(ctx, { ...config, description: 'Changed meanwhile.' } as never)
  const { end, call } = await proposes({ instructions: 'Be late.' }, 'self@1')
  expect(end.outcome).toBe('done')
  expect(call).toMatchObject({ state: 'failed' })
  expect(call.errorText).toMatch(/409: self@2 .*Ann.*self@1/)
})

test('a revision that never was is told so', async () => {
  const { proposes } = await selfEditing()
  for (const base of ['self@9', 'other@1', 'nonsense', 'self@', 'self@1.0'])
    expect((await proposes({ instructions: 'Be lost.' }, base)).call.errorText).toContain(`409: "${base}"`)
})

test('a revision that comes while the person thinks is a conflict too, when they approve', async () => {
  const { session, proposes, ctx, published } = await selfEditing()
  const { call } = await proposes({ instructions: 'Be first.' })
  const now = await published()
  if (now.type !== 'chat') throw new Error('It is a chat agent.')
  await updateAgent(ctx, { ...now, displayName: 'Renamed' })
  const ended = session.ends()
  await session.answer(call, { approved: true })
  await ended
  expect((await session.settles(call)).state).not.toBe('open')
  const { calls } = await session.get()
  expect(calls.at(-1)?.errorText).toMatch(/409: self@2 /)
  expect(await published()).toMatchObject({
    revision: 2,
    displayName: 'Renamed',
    chat: { instructions: 'Be brief.' }
  })
})

test('an agent that needs no approval still waits for a person with what lets it do more', async () => {
  const { proposes, published } = await selfEditing('auto')
  const harmless = await proposes({ instructions: 'Be plain.' })
  expect(harmless.end.outcome).toBe('done')
  expect(await published()).toMatchObject({ revision: 2, chat: { instructions: 'Be plain.' } })
  const more = await proposes({ tools: withFetch })
  expect(more.end.outcome).toBe('parked')
  expect(more.call.kind).toBe('approval')
  expect(await published()).toMatchObject({ revision: 2 })
})

test('what the build kit brought is never committed (002-8)', async () => {
  const { session, proposes, published } = await selfEditing()
  const { tools, skills } = buildKit().playground_build_kit.agent_template_overlay
  const { call } = await proposes({
    instructions: 'Be built.',
    tools: [...withFetch.slice(0, 2), ...tools.slice(0, 2)],
    skills
  })
  const ended = session.ends()
  await session.answer(call, { approved: true })
  await ended
  const now = await published()
  expect(now).toMatchObject({
    revision: 2,
    chat: { instructions: 'Be built.', tools: withFetch.slice(0, 2) }
  })
  expect(JSON.stringify(now.type === 'chat' ? now.chat : {})).not.toContain('__ag__')
})

test('what is no configuration, or no change, is told to the agent and asked of nobody', async () => {
  const { proposes } = await selfEditing()
  expect((await proposes({ model: 7 })).call.errorText).toContain('chat.model')
  expect((await proposes({})).call.errorText).toEqual(expect.any(String))
})

test('what others embed of an agent is changed with it: that waits for a person as well', async () => {
  const { proposes, ctx } = await selfEditing('auto')
  const followed = {
    '@ag.embed': { '@ag.references': { agent: { slug: 'self' } }, '@ag.selector': { path: 'chat.tools.0' } }
  }
  await createAgent(
    ctx,
    AgentConfig.parse({ agentId: 'follower', displayName: 'Follower', chat: { tools: [followed] } })
  )
  const { end, call } = await proposes({ instructions: 'Be plain.' })
  expect(end.outcome).toBe('parked')
  expect(call.render).toMatchObject({ widens: [expect.stringContaining('Follower')] })
})

test('an approval that was left to the tool is no looser when it is left to it again', async () => {
  const { proposes } = await selfEditing()
  const [read, commit] = withFetch
  const { call } = await proposes({ tools: [read, { ...commit, approval: 'ask' }] })
  expect(call.render).toMatchObject({ widens: [] })
})
