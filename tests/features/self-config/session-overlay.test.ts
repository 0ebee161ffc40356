import { readFileSync } from 'node:fs'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { applyEvent, transcriptOf } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { buildKit } from '#lib/agents/overlay/build-kit.ts'
import { kitByDefault } from '#lib/agents/overlay/kit-by-default.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { by, keyOf, person } from '#tests/support/servers/actors.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
const kit = buildKit().playground_build_kit.agent_template_overlay
const kitTools = [
  'request_connection',
  'discover_connections',
  'discover_catalog',
  'read_config',
  'commit_revision'
]
const saveOverlay = (sessionId: string, overlay: unknown) =>
  callEndpoint(sessionOperations.overlay, { params: { sessionId }, body: { overlay } })
const offeredTools = (request: ModelRequest | undefined) =>
  ((request?.body.tools ?? []) as { function: { name: string } }[]).map(tool => tool.function.name)
const promptText = (request: ModelRequest | undefined) => JSON.stringify(request?.body)

/** Returns all stored text of the agent, including its draft and its revisions. */
const stored = async ({ sql }: TestServer) =>
  JSON.stringify([
    await sql`select * from agents where id = 'helper'`,
    await sql`select * from agent_revisions where agent_id = 'helper'`
  ])

const proposal = (base: string, chat: object) => ({
  name: 'commit_revision',
  input: { base_revision_id: base, config: { displayName: 'Helper', chat } }
})

test('002-8: with the build kit an agent without tools proposes a change of itself, and no part of the kit is committed', async () => {
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'read_config', input: {} }),
      replyCalls(proposal('helper@1', { instructions: 'Be kind.', ...kit })),
      replyText('Done.'),
      replyText('Again.'),
      replyText('Alone.')
    ]
  })
  await helper.create({ chat: { instructions: 'Be brief.' } })
  const before = (await helper.get()).body
  const session = await server.startSession('helper')
  expect(await saveOverlay(session.id, kit)).toEqual({
    status: 200,
    body: { sessionId: session.id, overlaid: true, buildKit: true }
  })

  expect(await session.runTurn('be kinder')).toMatchObject({ outcome: 'parked', revisions: [1] })
  const call = await session.waitForCall('commit_revision')
  // The approver sees the change without the kit, in the text and in the editable version.
  expect(call).toMatchObject({
    kind: 'approval',
    render: { kind: 'config-diff', widens: [], changes: [{ path: ['chat', 'instructions'] }] },
    input: { config: { chat: { instructions: 'Be kind.', tools: [] } } }
  })
  expect(JSON.stringify(call.input)).not.toMatch(/__ag__|discover_connections/)
  await session.answer(call, { approved: true })
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'done', revisions: [2] })
  await session.runTurn('and now?')

  const { requests } = server.model
  expect(requests.map(offeredTools)).toEqual([kitTools, kitTools, kitTools, kitTools])
  expect(promptText(requests[0])).toContain('## Connect first')
  expect(promptText(requests[3])).toContain('Be kind.')
  // The agent reads its own configuration without the kit.
  const { calls: sessionCalls } = await session.get()
  expect(sessionCalls.find(({ toolName }) => toolName === 'read_config')?.output).toMatchObject({
    config: { chat: { instructions: 'Be brief.', tools: [] } }
  })

  const now = (await helper.get()).body
  expect(now).toEqual({
    ...before,
    revision: 2,
    updatedAt: expect.anything(),
    chat: { ...(before.chat as object), instructions: 'Be kind.' }
  })
  expect(await stored(server)).not.toMatch(new RegExp(`__ag__|${kitTools.join('|')}`))

  expect(await saveOverlay(session.id, null)).toMatchObject({ body: { overlaid: false } })
  await session.runTurn('without it')
  expect(offeredTools(requests[4])).toEqual([])
  expect(promptText(requests[4])).not.toContain('## Connect first')
})

test('002-8: parts of an overlay in a proposal are not committed, even if the overlay is removed before the approval', async () => {
  const overlay = { tools: [{ name: 'commit_revision' }, { name: 'web-fetch', approval: 'auto' }] }
  const chat = { instructions: 'Be kind.', ...overlay }
  const server = await startTestServer({
    script: [replyCalls(proposal('helper@1', chat)), replyText('Done.')]
  })
  await helper.create()
  const session = await server.startSession('helper')
  await saveOverlay(session.id, overlay)
  await session.runTurn('be kinder')
  const call = await session.waitForCall('commit_revision')
  await saveOverlay(session.id, null)
  await session.answer(call, { approved: true })
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'done', revisions: [2] })
  expect((await helper.get()).body.chat).toMatchObject({ instructions: 'Be kind.', tools: [] })
  expect(await stored(server)).not.toContain('web-fetch')
})

test('002-8: parts of an overlay that a user edits back into a proposal are removed as well', async () => {
  const overlay = { tools: [{ name: 'commit_revision' }, { name: 'client-info' }] }
  const server = await startTestServer({
    script: [replyCalls(proposal('helper@1', { instructions: 'Be kind.' })), replyText('Done.')]
  })
  await helper.create()
  const session = await server.startSession('helper')
  await saveOverlay(session.id, overlay)
  await session.runTurn('be kinder')
  const call = await session.waitForCall('commit_revision')
  const { input } = proposal('helper@1', { instructions: 'Be kinder.', ...overlay })
  await session.answer(call, { approved: true, input })
  await session.waitForEnd()
  expect((await helper.get()).body.chat).toMatchObject({ instructions: 'Be kinder.', tools: [] })
  expect(await stored(server)).not.toMatch(/client-info|commit_revision/)
})

test('an overlay that is added or removed applies from the next step of a running turn, and followers see the change', async () => {
  const missingTool = { name: 'none', input: {} }
  const server = await startTestServer({
    script: async (_, index) => {
      if (index === 0) await saveOverlay(session.id, kit)
      if (index === 2) await saveOverlay(session.id, null)
      return index < 3 ? replyCalls(missingTool) : replyText('Done.')
    }
  })
  await helper.create()
  const session = await server.startSession('helper')
  const before = await session.get()
  // The revision of the agent stays the same.
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done', revisions: [1] })
  expect(server.model.requests.map(offeredTools)).toEqual([[], kitTools, kitTools, []])

  await saveOverlay(session.id, kit)
  await callEndpoint(sessionOperations.rename, {
    params: { sessionId: session.id },
    body: { title: 'Built' }
  })
  const viewAfter = await session.get()
  expect(viewAfter).toMatchObject({ overlaid: true, session: { overlaid: true } })
  const transcript = (await session.log()).reduce(applyEvent, transcriptOf(before))
  expect(transcript.overlaid).toBe(true)
  expect(transcriptOf(viewAfter).overlaid).toBe(true)
  await saveOverlay(session.id, null)
  const withoutOverlay = (await session.log()).reduce(applyEvent, transcript)
  expect(withoutOverlay).not.toHaveProperty('overlaid')
  expect(withoutOverlay.title).toBe('Built')
  expect((await session.get()).session).not.toHaveProperty('overlaid')
})

test('an overlay applies on top of the pinned revision, takes precedence over it, and replaces an earlier overlay', async () => {
  const server = await startTestServer({ script: [replyText('1'), replyText('2')] })
  await helper.create({ chat: { instructions: 'First.', tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  await helper.put({ chat: { instructions: 'Second.' } })
  const session = await server.startSession('helper')
  await callEndpoint(sessionOperations.pin, { params: { sessionId: session.id }, body: { revision: 1 } })
  await saveOverlay(session.id, kit)
  await saveOverlay(session.id, { tools: [{ name: 'web-fetch', approval: 'auto' }, { name: 'client-info' }] })
  const { session: view } = await session.get()
  expect(view).toMatchObject({ pinnedRevision: 1, overlaid: true })
  await session.runTurn('go')
  const [request] = server.model.requests
  expect(offeredTools(request)).toEqual(['web-fetch', 'client-info'])
  expect(promptText(request)).toContain('First.')
  await callEndpoint(sessionOperations.pin, { params: { sessionId: session.id }, body: { revision: null } })
  expect((await session.get()).session).toMatchObject({ overlaid: true })
  await session.runTurn('go')
  expect(promptText(server.model.requests[1])).toContain('Second.')
  expect((await helper.revision(1)).body.config).toMatchObject({
    chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] }
  })
})

test('an overlay that no turn could run is refused with the invalid fields, and the session stays unchanged', async () => {
  const server = await startTestServer()
  await helper.create({ chat: { tools: [{ name: 'of-another-server' }] } })
  const session = await server.startSession('helper')
  await saveOverlay(session.id, kit)
  const brokenEmbed = {
    ...kit.skills[0],
    '@ag.embed': { '@ag.references': { workflow: { slug: 'nowhere' } } }
  }
  const manyTools = Array.from({ length: 128 }, (_, index) => ({ name: `tool-${index}`, ...external }))
  const invalidOverlays: [unknown, string][] = [
    [{ tools: [{ name: 'client-info' }, { name: 'no-such' }] }, 'overlay.tools.1.name'],
    [{ skills: [brokenEmbed] }, 'overlay.skills.0'],
    [{ tools: manyTools }, 'overlay.tools'],
    [{ tools: [...manyTools, ...manyTools] }, 'overlay.tools'],
    [{ tools: [{ name: 'of-another-server', url: 'https://acme.example' }] }, 'overlay.tools.0.url'],
    [{ instructions: 'Be rude.' }, 'overlay.instructions'],
    [undefined, 'overlay']
  ]
  for (const [overlay, field] of invalidOverlays) {
    const { status, body } = await saveOverlay(session.id, overlay)
    expect(status, field).toBe(422)
    expect(body.fields, field).toHaveProperty([field])
  }
  const longTool = { ...external, description: 'x'.repeat(4000) }
  const largeTools = Array.from({ length: 70 }, (_, index) => ({ name: `tool-${index}`, ...longTool }))
  expect(await saveOverlay(session.id, { tools: largeTools })).toMatchObject({
    status: 413,
    body: { code: 'TOO_LARGE' }
  })
  // The overlay adjusts the agent’s tools, even those that this server does not know.
  expect(
    await saveOverlay(session.id, { tools: [{ name: 'of-another-server', approval: 'ask' }] })
  ).toMatchObject({
    status: 200
  })
  expect(await saveOverlay('nowhere', kit)).toMatchObject({ status: 404 })
  const [row] = await server.sql`select overlay from sessions where key = ${session.key}`
  expect(row).toMatchObject({ overlay: { tools: [{ name: 'of-another-server', approval: 'ask' }] } })
})

const external = {
  where: 'external',
  description: 'Sends.',
  inputSchema: { type: 'object' },
  url: 'https://acme.example'
}

test('an external agent accepts no overlay', async () => {
  const { ctx } = await startTestServer()
  await helper.create({ type: 'external', external: { inputUrl: 'https://acme.example/in' } })
  await createSession(ctx, { agentId: 'helper', sessionId: 'order' })
  expect(await saveOverlay('order', kit)).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT' }
  })
})

test('an overlay that no longer matches its agent fails the turn with an explanation until it is removed', async () => {
  const server = await startTestServer({ script: [replyText('Fine.')] })
  await helper.create()
  const session = await server.startSession('helper')
  await saveOverlay(session.id, kit)
  await helper.put({
    chat: { tools: Array.from({ length: 126 }, (_, index) => ({ name: `tool-${index}`, ...external })) }
  })
  const failed = await session.runTurn('go')
  expect(failed).toMatchObject({ outcome: 'failed', error: { retryable: false } })
  expect(failed.error?.message).toContain('"overlay.tools"')
  await saveOverlay(session.id, null)
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
})

test('a worker that takes over a turn runs it with the same overlay', async () => {
  const server = await startTestServer({
    script: async (_, index) => (index === 0 ? replyThenHold('I was') : replyText('Whole.')),
    settings: { WAYSTATION_ROLE: 'web' }
  })
  await helper.create()
  const session = await server.startSession('helper')
  await saveOverlay(session.id, kit)
  const first = await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  await session.send('go')
  await session.waitForText('I was')
  const ended = session.waitForEnd()
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  await first.server.stop()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(server.model.requests.map(offeredTools)).toEqual([kitTools, kitTools])
})

test('the context of a session includes the size of its overlay', async () => {
  const server = await startTestServer()
  await helper.create()
  const session = await server.startSession('helper')
  const contextSize = async () =>
    (await callEndpoint(sessionOperations.context, { params: { sessionId: session.id } })).body
      .instructionsTokens as number
  const baseSize = await contextSize()
  await saveOverlay(session.id, kit)
  expect((await contextSize()) - baseSize).toBeGreaterThan(300)
})

test('002-8: the build kit is added to an overlay of the session, and only the kit is removed again', async () => {
  const server = await startTestServer({ script: () => replyText('Done.') })
  await helper.create()
  const session = await server.startSession('helper')
  const switchKit = (buildKit: boolean) =>
    callEndpoint(sessionOperations.overlay, { params: { sessionId: session.id }, body: { buildKit } })
  const before = await session.get()
  const own = { tools: [{ name: 'web-fetch', approval: 'ask' }, { name: 'read_config' }], skills: [] }
  expect((await saveOverlay(session.id, own)).body).toMatchObject({ overlaid: true, buildKit: false })
  expect(await session.get()).not.toHaveProperty('buildKit')

  expect(await switchKit(true)).toMatchObject({ status: 200, body: { overlaid: true, buildKit: true } })
  const { session: view, ...snapshot } = await session.get()
  expect([view, snapshot]).toMatchObject([{ buildKit: true }, { buildKit: true }])
  await session.runTurn('go')
  expect(offeredTools(server.model.requests[0])).toEqual(expect.arrayContaining(['web-fetch', ...kitTools]))

  expect((await switchKit(false)).body).toMatchObject({ overlaid: true, buildKit: false })
  await session.runTurn('go')
  expect(offeredTools(server.model.requests[1])).toEqual(['web-fetch'])
  const transcript = (await session.log()).reduce(applyEvent, transcriptOf(before))
  expect(transcript).toMatchObject({ overlaid: true })
  expect(transcript).not.toHaveProperty('buildKit')

  await saveOverlay(session.id, null)
  await switchKit(true)
  expect((await switchKit(false)).body).toMatchObject({ overlaid: false, buildKit: false })
  expect((await switchKit(false)).body).toMatchObject({ overlaid: false, buildKit: false })
  for (const body of [{}, { overlay: null, buildKit: true }])
    expect(
      await callEndpoint(sessionOperations.overlay, { params: { sessionId: session.id }, body })
    ).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
})

test('the next generation of a session has no overlay', async () => {
  const { ctx, sql } = await startTestServer()
  await helper.create()
  const sessionInput = { agentId: 'helper', sessionId: 'made' }
  await createSession(ctx, sessionInput)
  await saveOverlay('made', kit)
  await deleteSession(ctx, { sessionId: 'made' })
  expect(await sql`select from sessions where id = 'made' and overlay is not null`).toHaveLength(0)
  await createSession(ctx, sessionInput)
  expect(
    (await callEndpoint(sessionOperations.get, { params: { sessionId: 'made' } })).body
  ).not.toHaveProperty('overlaid')
})

test('002-8: a session starts with the build kit only if an owner or editor asks for it', async () => {
  const { ctx, reopenSession } = await startTestServer()
  await helper.create()
  const start = async (actor: Actor, sessionId: string, more: { buildKit?: boolean } = { buildKit: true }) =>
    createSession(by(ctx, actor), { agentId: 'helper', sessionId, ...more })
  const isOverlaid = async (sessionId: string) =>
    (await (await reopenSession(sessionId)).get()).overlaid ?? false

  await start(person('eda', 'editor'), 'built')
  expect(await isOverlaid('built')).toBe(true)
  const log = await (await reopenSession('built')).log()
  expect(log).toMatchObject([{ type: 'session', overlaid: true, buildKit: true }])
  await start(person('eda', 'editor'), 'plain', {})
  await start(keyOf('editor', 'environment'), 'of-a-key', {})
  expect([await isOverlaid('plain'), await isOverlaid('of-a-key')]).toEqual([false, false])
  await expect(start(person('olga', 'operator'), 'refused')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(isOverlaid('refused')).rejects.toThrow()

  // Attaching changes nothing. A revived session is new.
  await start(person('eda', 'editor'), 'plain')
  expect(await isOverlaid('plain')).toBe(false)
  await deleteSession(ctx, { sessionId: 'plain' })
  await start(person('eda', 'editor'), 'plain')
  expect(await isOverlaid('plain')).toBe(true)
})

test('002-8: an external agent has no build kit, and its session is not created', async () => {
  const { ctx, sql } = await startTestServer()
  const external = { inputUrl: 'https://acme.example/in' }
  await agentAt('acme').create({ type: 'external', external })
  await expect(
    createSession(by(ctx, person('eda', 'editor')), { agentId: 'acme', sessionId: 'order', buildKit: true })
  ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await sql`select from sessions where id = 'order'`).toHaveLength(0)
})

test('002-8: the agent decides if playground sessions have the build kit, or else the workspace', async () => {
  const { ctx } = await startTestServer()
  const defaults = async () => {
    const hasKit = await kitByDefault(ctx)
    return [undefined, 'on', 'off'].map(buildKit =>
      hasKit(AgentConfig.parse({ agentId: 'a', displayName: 'A', chat: { buildKit } }))
    )
  }
  expect(await defaults()).toEqual([true, true, false])
  const { status } = await callEndpoint(workspaceOperations.update, { body: { buildKit: false } })
  expect(status).toBe(200)
  expect(await defaults()).toEqual([false, true, false])
})

test('the phrases of the demo model work with the build kit, and the docs name the tokens that it adds', async () => {
  const server = await startTestServer()
  await helper.create({ chat: { model: 'demo/demo', tools: [{ name: 'ask-question' }] } })
  const session = await server.startSession('helper')
  const breakdown = async () => {
    const params = { sessionId: session.id }
    const { body } = await callEndpoint(sessionOperations.context, { params })
    return body.breakdown as { system: number; tools: number }
  }
  const without = await breakdown()
  await saveOverlay(session.id, kit)
  const withKit = await breakdown()
  const [skills, tools] = [withKit.system - without.system, withKit.tools - without.tools]
  const page = readFileSync('docs/embeds.md', 'utf8')
  const [, ...documented] =
    /adds about ([\d,]+) tokens to each prompt: ([\d,]+) for the tools and ([\d,]+) for the skills/.exec(
      page
    ) ?? []
  const numbers = documented.map(number => Number(number.replace(',', '')))
  const measured = [skills + tools, tools, skills].map(tokens => Math.round(tokens / 100) * 100)
  expect(numbers).toEqual(measured)

  await session.runTurn('say hello')
  await session.runTurn('What can you do?')
  await session.runTurn('use missing')
  const [hello, introduction, missing] = await session.agentTexts()
  expect(hello).toBe('hello')
  expect(missing).toMatch(/`ask-question`.*`discover_catalog`/)
  expect(introduction).toContain('ask me to choose')
  await session.runTurn('ask me whether it rains')
  expect(await session.waitForCall('ask-question')).toMatchObject({ kind: 'question' })
})
