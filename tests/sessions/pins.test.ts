import { applyEvent, transcriptOf } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { keyOf } from '#tests/support/servers/actors.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
const chatWith = (instructions: string) => ({ chat: { instructions } })
const pin = (sessionId: string, revision: number | null) =>
  callEndpoint(sessionOperations.pin, { params: { sessionId }, body: { revision } })

test('a pinned session runs on its revision until it is unpinned, even if others are published', async () => {
  const server = await startTestServer({
    script: [replyText('1'), replyText('2'), replyText('3'), replyText('4')]
  })
  await helper.create(chatWith('First.'))
  await helper.put(chatWith('Second.'))
  const session = await server.startSession('helper')
  expect(await session.runTurn('a')).toMatchObject({ revisions: [2] })
  expect(await pin(session.id, 1)).toMatchObject({
    status: 200,
    body: { sessionId: session.id, pinnedRevision: 1, revision: 1 }
  })
  expect(await session.runTurn('b')).toMatchObject({ revisions: [1] })
  await helper.put(chatWith('Third.'))
  expect(await session.runTurn('c')).toMatchObject({ revisions: [1] })
  expect((await session.get()).session).toMatchObject({
    agentRevision: 1,
    publishedRevision: 3,
    pinnedRevision: 1
  })
  expect(await pin(session.id, null)).toMatchObject({ body: { pinnedRevision: null, revision: 3 } })
  expect(await session.runTurn('d')).toMatchObject({ revisions: [3] })
  const prompts = server.model.requests.map(({ body }) => JSON.stringify(body))
  expect(prompts.map(prompt => /First|Second|Third/.exec(prompt)?.[0])).toEqual([
    'Second',
    'First',
    'First',
    'Third'
  ])
})

test('a running turn uses a new pin from its next step, and followers see the change', async () => {
  const server = await startTestServer({
    script: async (_, index) => {
      if (index === 0) await pin(session.id, 1)
      return index === 0 ? replyCalls({ name: 'none', input: {} }) : replyText('Done.')
    }
  })
  await helper.create(chatWith('First.'))
  await helper.put(chatWith('Second.'))
  const session = await server.startSession('helper')
  const before = await session.get()
  expect(await session.runTurn('go')).toMatchObject({ revisions: [2, 1] })
  const viewAfter = await session.get()
  expect(viewAfter.pinnedRevision).toBe(1)
  const pinnedTranscript = (await session.log()).reduce(applyEvent, transcriptOf(before))
  expect(pinnedTranscript.pinnedRevision).toBe(1)
  await pin(session.id, null)
  const unpinnedTranscript = (await session.log()).reduce(applyEvent, pinnedTranscript)
  expect(unpinnedTranscript).not.toHaveProperty('pinnedRevision')
  expect(unpinnedTranscript.title).toBe(pinnedTranscript.title)
})

test('a revision that the agent never had is not found, and the pin stays', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  expect(await pin(session.id, 4)).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' }
  })
  expect(await pin('nowhere', 1)).toMatchObject({ status: 404 })
  expect(await pin(session.id, 0)).toMatchObject({ status: 422 })
  expect((await session.get()).session).not.toHaveProperty('pinnedRevision')
})

test('an operator who branches a pinned session keeps its pin', async () => {
  const { ctx, session } = await sessionWithRevisions()
  await pin(session.id, 1)
  const [message] = (await session.get()).messages
  const operator = { ...ctx, actor: keyOf('operator') }
  const branch = await branchSession(operator, { sessionId: session.id, messageId: message?.id ?? '' })
  const { body } = await callEndpoint(sessionOperations.get, { params: { sessionId: branch.sessionId } })
  expect(body.session).toMatchObject({ agentRevision: 1, pinnedRevision: 1, publishedRevision: 2 })
})

/** Returns a session of an agent with two revisions, after one turn. */
async function sessionWithRevisions() {
  const server = await startTestServer({ script: [replyText('1')] })
  await helper.create(chatWith('First.'))
  await helper.put(chatWith('Second.'))
  const session = await server.startSession('helper')
  await session.runTurn('a')
  return { ...server, session }
}

test('a session can be created with a pin, and its next generation has none', async () => {
  const { ctx, sql } = await startTestServer()
  await helper.create()
  await helper.put({ displayName: 'Aide' })
  const sessionInput = { agentId: 'helper', sessionId: 'made' }
  const create = (body: object) => callEndpoint(sessionOperations.create, { body })
  const readSession = async () =>
    (await callEndpoint(sessionOperations.get, { params: { sessionId: 'made' } })).body.session
  expect(await create({ ...sessionInput, revision: 9 })).toMatchObject({ status: 404 })
  const operator = ctxFor(keyOf('operator'))
  await expect(createSession(operator, { ...sessionInput, revision: 1 })).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  expect(await create({ ...sessionInput, revision: 1 })).toMatchObject({ status: 201 })
  expect(await readSession()).toMatchObject({ agentRevision: 1, pinnedRevision: 1 })
  // A create request that attaches to the session leaves it unchanged.
  expect(await create({ ...sessionInput, revision: 2 })).toMatchObject({
    body: { result: { created: false } }
  })
  expect(await readSession()).toMatchObject({ pinnedRevision: 1 })
  await deleteSession(ctx, { sessionId: 'made' })
  expect(await sql`select from sessions where id = 'made' and pinned_revision is not null`).toHaveLength(0)
  await createSession(ctx, sessionInput)
  expect(await readSession()).toMatchObject({ agentRevision: 2 })
  expect(await readSession()).not.toHaveProperty('pinnedRevision')
})

test('an external agent receives messages at the URL of its pinned revision', async () => {
  const externalServer = await startExternalSystem(response => response.end('ok'))
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host } })
  const configWithUrl = (path: string) => ({
    type: 'external',
    external: { inputUrl: `${externalServer.url}${path}` }
  })
  await helper.create(configWithUrl('/old'))
  await helper.put(configWithUrl('/new'))
  await createSession(server.ctx, { agentId: 'helper', sessionId: 'order', revision: 1 })
  const session = await server.reopenSession('order')
  await session.send('hello')
  await session.waitForEvent(event => event.type === 'delivery' && event.delivery.state === 'delivered')
  await pin('order', null)
  await session.send('hello again')
  await expect.poll(() => externalServer.requests.map(({ path }) => path)).toEqual(['/old', '/new'])
})

test('the context of a pinned session is measured with its own revision', async () => {
  const server = await startTestServer()
  const limits = (contextTokens: number) => ({ chat: { limits: { contextTokens } } })
  await helper.create(limits(5000))
  await helper.put(limits(9000))
  const session = await server.startSession('helper')
  const context = async () =>
    (await callEndpoint(sessionOperations.context, { params: { sessionId: session.id } })).body.contextTokens
  expect(await context()).toBe(9000)
  await pin(session.id, 1)
  expect(await context()).toBe(5000)
})
