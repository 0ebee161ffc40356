import { expect, test } from 'vitest'
import { buildKit } from '#lib/agents/overlay/build-kit.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { applyEvent, transcriptOf } from '#lib/protocol/session/fold.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { calls, holds, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { agentAt } from '#tests/support/worlds/agent-at.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

const helper = agentAt('helper')
const kit = buildKit().playground_build_kit.agent_template_overlay
const kitTools = ['request_connection', 'discover_connections', 'read_config', 'commit_revision']
const lay = (sessionId: string, overlay: unknown) =>
  callEndpoint(sessionOperations.overlay, { params: { sessionId }, body: { overlay } })
const offered = (request: ModelRequest | undefined) =>
  ((request?.body.tools ?? []) as { function: { name: string } }[]).map(tool => tool.function.name)
const told = (request: ModelRequest | undefined) => JSON.stringify(request?.body)

/** All that is stored of the agent, its draft and its revisions included, as text. */
const stored = async ({ sql }: TestWorld) =>
  JSON.stringify([
    await sql`select * from agents where id = 'helper'`,
    await sql`select * from agent_revisions where agent_id = 'helper'`
  ])

const proposal = (base: string, chat: object) => ({
  name: 'commit_revision',
  input: { base_revision_id: base, config: { displayName: 'Helper', chat } }
})

test('002-8: with the build kit an agent that has no tools proposes a change of itself, and nothing of the kit is committed', async () => {
  const world = await testWorld({
    script: [
      calls({ name: 'read_config', input: {} }),
      calls(proposal('helper@1', { instructions: 'Be kind.', ...kit })),
      says('Done.'),
      says('Again.'),
      says('Alone.')
    ]
  })
  await helper.create({ chat: { instructions: 'Be brief.' } })
  const before = (await helper.get()).body
  const session = await world.session('helper')
  expect(await lay(session.id, kit)).toEqual({ status: 200, body: { sessionId: session.id, overlaid: true } })

  expect(await session.says('be kinder')).toMatchObject({ outcome: 'parked', revisions: [1] })
  const call = await session.waitsFor('commit_revision')
  // Who approves sees the change and nothing of the kit, in words and in what they may edit.
  expect(call).toMatchObject({
    kind: 'approval',
    render: { kind: 'config-diff', widens: [], changes: [{ path: ['chat', 'instructions'] }] },
    input: { config: { chat: { instructions: 'Be kind.', tools: [] } } }
  })
  expect(JSON.stringify(call.input)).not.toMatch(/__ag__|discover_connections/)
  await session.answer(call, { approved: true })
  expect(await session.ends()).toMatchObject({ outcome: 'done', revisions: [2] })
  await session.says('and now?')

  const { requests } = world.model
  expect(requests.map(offered)).toEqual([kitTools, kitTools, kitTools, kitTools])
  expect(told(requests[0])).toContain('## Connect first')
  expect(told(requests[3])).toContain('Be kind.')
  // What it reads of itself is what it is without the kit.
  const { calls: all } = await session.get()
  expect(all.find(({ toolName }) => toolName === 'read_config')?.output).toMatchObject({
    config: { chat: { instructions: 'Be brief.', tools: [] } }
  })

  const now = (await helper.get()).body
  expect(now).toEqual({
    ...before,
    revision: 2,
    updatedAt: expect.anything(),
    chat: { ...(before.chat as object), instructions: 'Be kind.' }
  })
  expect(await stored(world)).not.toMatch(new RegExp(`__ag__|${kitTools.join('|')}`))

  expect(await lay(session.id, null)).toMatchObject({ body: { overlaid: false } })
  await session.says('without it')
  expect(offered(requests[4])).toEqual([])
  expect(told(requests[4])).not.toContain('## Connect first')
})

test('002-8: what a proposal had of an overlay is not committed either when it is taken off before somebody approves', async () => {
  const overlay = { tools: [{ name: 'commit_revision' }, { name: 'web-fetch', approval: 'auto' }] }
  const chat = { instructions: 'Be kind.', ...overlay }
  const world = await testWorld({ script: [calls(proposal('helper@1', chat)), says('Done.')] })
  await helper.create()
  const session = await world.session('helper')
  await lay(session.id, overlay)
  await session.says('be kinder')
  const call = await session.waitsFor('commit_revision')
  await lay(session.id, null)
  await session.answer(call, { approved: true })
  expect(await session.ends()).toMatchObject({ outcome: 'done', revisions: [2] })
  expect((await helper.get()).body.chat).toMatchObject({ instructions: 'Be kind.', tools: [] })
  expect(await stored(world)).not.toContain('web-fetch')
})

test('002-8: what somebody edits back into a proposal is stripped of the overlay as well', async () => {
  const overlay = { tools: [{ name: 'commit_revision' }, { name: 'client-info' }] }
  const world = await testWorld({
    script: [calls(proposal('helper@1', { instructions: 'Be kind.' })), says('Done.')]
  })
  await helper.create()
  const session = await world.session('helper')
  await lay(session.id, overlay)
  await session.says('be kinder')
  const call = await session.waitsFor('commit_revision')
  const { input } = proposal('helper@1', { instructions: 'Be kinder.', ...overlay })
  await session.answer(call, { approved: true, input })
  await session.ends()
  expect((await helper.get()).body.chat).toMatchObject({ instructions: 'Be kinder.', tools: [] })
  expect(await stored(world)).not.toMatch(/client-info|commit_revision/)
})

test('an overlay counts from the next step of a turn that runs, laid on or taken off, and whoever follows the session sees it', async () => {
  const none = { name: 'none', input: {} }
  const world = await testWorld({
    script: async (_, index) => {
      if (index === 0) await lay(session.id, kit)
      if (index === 2) await lay(session.id, null)
      return index < 3 ? calls(none) : says('Done.')
    }
  })
  await helper.create()
  const session = await world.session('helper')
  const before = await session.get()
  // It is the same revision of the agent all the time.
  expect(await session.says('go')).toMatchObject({ outcome: 'done', revisions: [1] })
  expect(world.model.requests.map(offered)).toEqual([[], kitTools, kitTools, []])

  await lay(session.id, kit)
  await callEndpoint(sessionOperations.rename, {
    params: { sessionId: session.id },
    body: { title: 'Built' }
  })
  const after = await session.get()
  expect(after).toMatchObject({ overlaid: true, session: { overlaid: true } })
  const folded = (await session.log()).reduce(applyEvent, transcriptOf(before))
  expect(folded.overlaid).toBe(true)
  expect(transcriptOf(after).overlaid).toBe(true)
  await lay(session.id, null)
  const alone = (await session.log()).reduce(applyEvent, folded)
  expect(alone).not.toHaveProperty('overlaid')
  expect(alone.title).toBe('Built')
  expect((await session.get()).session).not.toHaveProperty('overlaid')
})

test('an overlay lies over the revision that the session is pinned to, wins over it, and is replaced by the next one', async () => {
  const world = await testWorld({ script: [says('1'), says('2')] })
  await helper.create({ chat: { instructions: 'First.', tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  await helper.put({ chat: { instructions: 'Second.' } })
  const session = await world.session('helper')
  await callEndpoint(sessionOperations.pin, { params: { sessionId: session.id }, body: { revision: 1 } })
  await lay(session.id, kit)
  await lay(session.id, { tools: [{ name: 'web-fetch', approval: 'auto' }, { name: 'client-info' }] })
  const { session: view } = await session.get()
  expect(view).toMatchObject({ pinnedRevision: 1, overlaid: true })
  await session.says('go')
  const [request] = world.model.requests
  expect(offered(request)).toEqual(['web-fetch', 'client-info'])
  expect(told(request)).toContain('First.')
  await callEndpoint(sessionOperations.pin, { params: { sessionId: session.id }, body: { revision: null } })
  expect((await session.get()).session).toMatchObject({ overlaid: true })
  await session.says('go')
  expect(told(world.model.requests[1])).toContain('Second.')
  expect((await helper.revision(1)).body.config).toMatchObject({
    chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] }
  })
})

test('what no turn could run is refused with the fields that are wrong, and the session stays as it was', async () => {
  const world = await testWorld()
  await helper.create({ chat: { tools: [{ name: 'of-another-server' }] } })
  const session = await world.session('helper')
  await lay(session.id, kit)
  const nowhere = { ...kit.skills[0], '@ag.embed': { '@ag.references': { workflow: { slug: 'nowhere' } } } }
  const many = Array.from({ length: 128 }, (_, index) => ({ name: `tool-${index}`, ...external }))
  const cases: [unknown, string][] = [
    [{ tools: [{ name: 'client-info' }, { name: 'no-such' }] }, 'overlay.tools.1.name'],
    [{ skills: [nowhere] }, 'overlay.skills.0'],
    [{ tools: many }, 'overlay.tools'],
    [{ tools: [...many, ...many] }, 'overlay.tools'],
    [{ tools: [{ name: 'of-another-server', url: 'https://acme.example' }] }, 'overlay.tools.0.url'],
    [{ instructions: 'Be rude.' }, 'overlay.instructions'],
    [undefined, 'overlay']
  ]
  for (const [overlay, field] of cases) {
    const { status, body } = await lay(session.id, overlay)
    expect(status, field).toBe(422)
    expect(body.fields, field).toHaveProperty([field])
  }
  const long = { ...external, description: 'x'.repeat(4000) }
  const large = Array.from({ length: 70 }, (_, index) => ({ name: `tool-${index}`, ...long }))
  expect(await lay(session.id, { tools: large })).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
  // What the agent has is adjusted, also if this server does not know it.
  expect(await lay(session.id, { tools: [{ name: 'of-another-server', approval: 'ask' }] })).toMatchObject({
    status: 200
  })
  expect(await lay('nowhere', kit)).toMatchObject({ status: 404 })
  const [row] = await world.sql`select overlay from sessions where key = ${session.key}`
  expect(row).toMatchObject({ overlay: { tools: [{ name: 'of-another-server', approval: 'ask' }] } })
})

const external = {
  where: 'external',
  description: 'Sends.',
  inputSchema: { type: 'object' },
  url: 'https://acme.example'
}

test('nothing is laid over another system', async () => {
  const { ctx } = await testWorld()
  await helper.create({ type: 'external', external: { inputUrl: 'https://acme.example/in' } })
  await createSession(ctx, { agentId: 'helper', sessionId: 'order' })
  expect(await lay('order', kit)).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT' }
  })
})

test('an overlay that does not fit its agent any more fails the turn in words, until it is taken off', async () => {
  const world = await testWorld({ script: [says('Fine.')] })
  await helper.create()
  const session = await world.session('helper')
  await lay(session.id, kit)
  await helper.put({
    chat: { tools: Array.from({ length: 126 }, (_, index) => ({ name: `tool-${index}`, ...external })) }
  })
  const failed = await session.says('go')
  expect(failed).toMatchObject({ outcome: 'failed', error: { retryable: false } })
  expect(failed.error?.message).toContain('"overlay.tools"')
  await lay(session.id, null)
  expect(await session.says('go')).toMatchObject({ outcome: 'done' })
})

test('a worker that takes over a turn runs it with the same overlay', async () => {
  const world = await testWorld({
    script: async (_, index) => (index === 0 ? holds('I was') : says('Whole.')),
    settings: { WAYSTATION_ROLE: 'web' }
  })
  await helper.create()
  const session = await world.session('helper')
  await lay(session.id, kit)
  const first = await world.second({ WAYSTATION_ROLE: 'worker' })
  await session.send('go')
  await session.reads('I was')
  const ended = session.ends()
  await world.second({ WAYSTATION_ROLE: 'worker' })
  await first.world.stop()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(world.model.requests.map(offered)).toEqual([kitTools, kitTools])
})

test('what a session shows as its context counts what is laid over its agent', async () => {
  const world = await testWorld()
  await helper.create()
  const session = await world.session('helper')
  const counted = async () =>
    (await callEndpoint(sessionOperations.context, { params: { sessionId: session.id } })).body
      .instructionsTokens as number
  const alone = await counted()
  await lay(session.id, kit)
  expect((await counted()) - alone).toBeGreaterThan(300)
})

test('the next life of a session has nothing laid over it', async () => {
  const { ctx, sql } = await testWorld()
  await helper.create()
  const made = { agentId: 'helper', sessionId: 'made' }
  await createSession(ctx, made)
  await lay('made', kit)
  await deleteSession(ctx, { sessionId: 'made' })
  expect(await sql`select from sessions where id = 'made' and overlay is not null`).toHaveLength(0)
  await createSession(ctx, made)
  expect(
    (await callEndpoint(sessionOperations.get, { params: { sessionId: 'made' } })).body
  ).not.toHaveProperty('overlaid')
})
