import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { CommitRevision } from '@waystation/protocol/agent/own-config.ts'
import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import { denialReason } from '@waystation/protocol/call/answerers.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
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
import { createSession } from '#lib/sessions/create-session.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a session of an agent that can read and change its own configuration. */
async function selfEditingSession(approval?: 'auto', answer?: AnswerPolicy, agents?: AnswerPolicy) {
  const server = await startTestServer()
  const tools = [
    { name: 'read_config' },
    { name: 'commit_revision', ...(approval && { approval }), ...(answer && { answer }) }
  ]
  const chat = { instructions: 'Be brief.', tools, ...(agents && { answer: agents }) }
  await createAgent(server.ctx, AgentConfig.parse({ agentId: 'self', displayName: 'Self', chat }))
  const { sessionId } = await createSession(server.ctx, { agentId: 'self' })
  const session = await server.reopenSession(sessionId)
  const read = async () => {
    await session.runTurn('use read_config {}')
    const { calls } = await session.get()
    return calls.at(-1)?.output as { base_revision_id: string; config: { chat: Record<string, unknown> } }
  }
  /** Proposes the current configuration with this change to its chat. */
  const proposes = async (change: object, base?: string) => {
    const { base_revision_id, config } = await read()
    const proposal = {
      base_revision_id: base ?? base_revision_id,
      config: { ...config, chat: { ...config.chat, ...change } },
      note: 'As asked.'
    }
    const end = await session.runTurn(`use commit_revision ${JSON.stringify(proposal)}`)
    const { calls } = await session.get()
    return { end, call: calls.at(-1) as Call }
  }
  const published = () => getAgent(server.ctx, { agentId: 'self' })
  return { ...server, session, read, proposes, published }
}

const toolsWithFetch = [{ name: 'read_config' }, { name: 'commit_revision' }, { name: 'web-fetch' }]

test('an agent reads its own configuration together with its revision (002-3)', async () => {
  const { read } = await selfEditingSession()
  expect(await read()).toMatchObject({
    base_revision_id: 'self@1',
    version: 1,
    config: { displayName: 'Self', chat: { instructions: 'Be brief.' } }
  })
})

test('a proposal waits for a user and shows its changes; after an approval it is published and reaches every page (002-3, 002-16)', async () => {
  const { session, proposes, published, ctx } = await selfEditingSession()
  const { end, call } = await proposes({ tools: toolsWithFetch })
  expect(end.outcome).toBe('parked')
  expect(call).toMatchObject({
    kind: 'approval',
    render: { kind: 'config-diff', widens: [expect.stringContaining('web-fetch')] }
  })
  expect(await published()).toMatchObject({ revision: 1 })
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true })
  expect((await ended).revisions?.at(-1)).toBe(2)
  const committed = { variantId: 'self', revisionId: 'self@2', version: 2 }
  await session.waitForEvent(
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

test('a proposal that is published leaves a user’s draft unchanged', async () => {
  const { proposes, published, ctx } = await selfEditingSession('auto')
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

test('002-3: a user can edit a proposal, and the edited version is published', async () => {
  const { session, proposes, published } = await selfEditingSession()
  const { call } = await proposes({ instructions: 'Be very long.' })
  const input = call.input as { config: { chat: object } }
  const editedProposal = {
    ...input,
    config: { ...input.config, chat: { ...input.config.chat, instructions: 'Be kind.' } }
  }
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true, input: editedProposal })
  await ended
  expect(await published()).toMatchObject({ revision: 2, chat: { instructions: 'Be kind.' } })
})

test('an edited proposal is checked as it will be on approval, and nothing is written', async () => {
  const { session, proposes, published, ctx } = await selfEditingSession()
  const { call } = await proposes({ instructions: 'Be kind.' })
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  const { base_revision_id } = call.input as CommitRevision
  // Omitted fields have their defaults, as when the agent was created.
  const config = { displayName: 'Self', chat: { instructions: 'Be brief.', tools: toolsWithFetch } }
  expect(await reviewProposal(ctx, { ...callParams, input: { base_revision_id, config } })).toMatchObject({
    changes: [{ kind: 'added', path: ['chat', 'tools', 'web-fetch'] }],
    widens: [expect.stringContaining('web-fetch')]
  })
  const invalidEdits: [object, string, RegExp][] = [
    [
      { base_revision_id, config: { displayName: 'Self', chat: { tools: 'all' } } },
      'INVALID_INPUT',
      /chat.tools/
    ],
    [{ base_revision_id: 'self@7', config }, 'CONFLICT', /self@7/],
    [{ config }, 'INVALID_INPUT', /base_revision_id/]
  ]
  for (const [input, code, message] of invalidEdits)
    await expect(reviewProposal(ctx, { ...callParams, input: { ...input } })).rejects.toMatchObject({
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
    reviewProposal(operator, { ...callParams, input: { base_revision_id, config } })
  ).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  expect(await published()).toMatchObject({ revision: 1 })
  expect((await session.get()).calls.at(-1)?.state).toBe('open')
})

test('an edited proposal that cannot be committed is not approved, and the call stays open', async () => {
  const { session, proposes, published } = await selfEditingSession()
  const { call } = await proposes({ instructions: 'Be kind.' })
  const { base_revision_id, config } = call.input as CommitRevision
  const edits: [object, string, RegExp][] = [
    [{ base_revision_id, config: { displayName: 7 } }, 'INVALID_INPUT', /displayName: expected string/],
    [{ base_revision_id: 'self@7', config }, 'CONFLICT', /self@7/]
  ]
  for (const [input, code, message] of edits)
    await expect(session.answer(call, { approved: true, input })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message)
    })
  expect((await session.get()).calls.at(-1)?.state).toBe('open')
  expect(await published()).toMatchObject({ revision: 1 })
})

test('a user who cannot change agents cannot approve a proposal, edited or not', async () => {
  const { session, proposes, published, ctx, reopenSession } = await selfEditingSession()
  const { call } = await proposes({ instructions: 'Be kind.' })
  const workspaceId = ctx.workspaceId
  const ctxWithRole = (role: 'operator' | 'editor'): Ctx =>
    ctxFor({ kind: 'key', keyId: role, name: role, role, workspaceId })
  const operator = await reopenSession(session.id, ctxWithRole('operator'))
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
  const ended = session.waitForEnd()
  await (await reopenSession(session.id, ctxWithRole('editor'))).answer(call, { approved: true })
  await ended
  expect(await published()).toMatchObject({ revision: 2 })
})

test('the agent’s own policy for its proposals applies', async () => {
  const { session, proposes } = await selfEditingSession(undefined, { roles: ['operator'] })
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
  'a user who can answer the agent’s other calls (%j) cannot approve its proposals for that reason',
  async (agents, answerers) => {
    const { session, proposes } = await selfEditingSession(undefined, undefined, agents)
    await proposes({ instructions: 'Be kind.' })
    expect((await session.get()).calls.at(-1)).toMatchObject({ toolName: 'commit_revision', answerers })
    expect((await session.get()).calls.at(-1)?.answerers).not.toHaveProperty('people')
  }
)

test('a declined proposal publishes nothing', async () => {
  const { session, proposes, published } = await selfEditingSession()
  const { call } = await proposes({ instructions: 'Be rude.' })
  const ended = session.waitForEnd()
  await session.answer(call, { approved: false, reason: 'No.' })
  await ended
  expect(await published()).toMatchObject({ revision: 1, chat: { instructions: 'Be brief.' } })
})

test('002-3: a proposal based on an older revision is a conflict, which the agent learns at once and without an approval', async () => {
  const { proposes, ctx, published } = await selfEditingSession()
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

test('a proposal based on a revision that never existed gets an error', async () => {
  const { proposes } = await selfEditingSession()
  for (const base of ['self@9', 'other@1', 'nonsense', 'self@', 'self@1.0'])
    expect((await proposes({ instructions: 'Be lost.' }, base)).call.errorText).toContain(`409: "${base}"`)
})

test('002-3: a revision that is published before the approval makes the proposal a conflict', async () => {
  const { session, proposes, ctx, published } = await selfEditingSession()
  const { call } = await proposes({ instructions: 'Be first.' })
  const now = await published()
  if (now.type !== 'chat') throw new Error('It is a chat agent.')
  await updateAgent(ctx, { ...now, displayName: 'Renamed' })
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true })
  await ended
  expect((await session.waitForSettled(call)).state).not.toBe('open')
  const { calls } = await session.get()
  expect(calls.at(-1)?.errorText).toMatch(/409: self@2 /)
  expect(await published()).toMatchObject({
    revision: 2,
    displayName: 'Renamed',
    chat: { instructions: 'Be brief.' }
  })
})

test('002-3: an agent with automatic approval still waits for a user if the proposal adds permissions', async () => {
  const { proposes, published } = await selfEditingSession('auto')
  const harmlessProposal = await proposes({ instructions: 'Be plain.' })
  expect(harmlessProposal.end.outcome).toBe('done')
  expect(await published()).toMatchObject({ revision: 2, chat: { instructions: 'Be plain.' } })
  const wideningProposal = await proposes({ tools: toolsWithFetch })
  expect(wideningProposal.end.outcome).toBe('parked')
  expect(wideningProposal.call.kind).toBe('approval')
  expect(await published()).toMatchObject({ revision: 2 })
})

test('a proposal never commits parts of the build kit (002-8)', async () => {
  const { session, proposes, published } = await selfEditingSession()
  const { tools, skills } = buildKit().playground_build_kit.agent_template_overlay
  const { call } = await proposes({
    instructions: 'Be built.',
    tools: [...toolsWithFetch.slice(0, 2), ...tools.slice(0, 2)],
    skills
  })
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true })
  await ended
  const now = await published()
  expect(now).toMatchObject({
    revision: 2,
    chat: { instructions: 'Be built.', tools: toolsWithFetch.slice(0, 2) }
  })
  expect(JSON.stringify(now.type === 'chat' ? now.chat : {})).not.toContain('__ag__')
})

test('an invalid or empty proposal gives the agent an error, without an approval', async () => {
  const { proposes } = await selfEditingSession()
  expect((await proposes({ model: 7 })).call.errorText).toContain('chat.model')
  expect((await proposes({})).call.errorText).toEqual(expect.any(String))
})

test('a proposal with a tool that does not exist fails at once, and an unavailable tool that the agent has can stay', async () => {
  const { proposes, ctx } = await selfEditingSession()
  const { call } = await proposes({ tools: [...toolsWithFetch, { name: 'web_fetch' }] })
  expect(call).toMatchObject({ state: 'failed', errorText: expect.stringContaining('no tool "web_fetch"') })
  const tools = [{ name: 'read_config' }, { name: 'commit_revision' }, { name: 'from-another-server' }]
  await updateAgent(ctx, AgentConfig.parse({ agentId: 'self', displayName: 'Self', chat: { tools } }))
  expect((await proposes({ instructions: 'Be kind.' })).call.state).toBe('open')
})

test('a change that affects agents which embed this one waits for a user too', async () => {
  const { proposes, ctx } = await selfEditingSession('auto')
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

test('an approval that was left to the tool is not weaker when it is left to it again', async () => {
  const { proposes } = await selfEditingSession()
  const [read, commit] = toolsWithFetch
  const { call } = await proposes({ tools: [read, { ...commit, approval: 'ask' }] })
  expect(call.render).toMatchObject({ widens: [] })
})
