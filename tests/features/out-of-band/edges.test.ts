import { ListOobEdges, ListOobMessages } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { OobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { ListSessions } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { approveOutOfBand } from '#lib/features/out-of-band/approve-out-of-band.ts'
import { expireOverdueOob } from '#lib/features/out-of-band/expire.ts'
import { listOobEdges } from '#lib/features/out-of-band/list-oob-edges.ts'
import { listOobMessages } from '#lib/features/out-of-band/list-oob-messages.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { renameSession } from '#lib/sessions/rename-session.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { by, person } from '#tests/support/servers/actors.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/**
 * Returns a server in which the agent of `reviewer` sends a message to `builder` for each message that it
 * receives.
 */
async function runtime() {
  const server = await startTestServer({
    script: ({ body }) =>
      body.messages.at(-1)?.role === 'tool'
        ? replyText('Told.')
        : replyCalls({
            name: 'send_out_of_band',
            input: { sessionId: 'builder', content: 'auth.ts changed.', priority: 'high' }
          }),
    // The rate limit is raised, because this test is about other limits.
    settings: { WAYSTATION_LIMIT_OUT_OF_BAND: '1000' }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'send_out_of_band' }] } })
  for (const sessionId of ['reviewer', 'builder'])
    await createSession(server.ctx, { agentId: 'test', sessionId })
  await renameSession(server.ctx, { sessionId: 'reviewer', title: 'Review the login' })
  const sendOob = (content: string, extra: Partial<SendOob> = {}) =>
    sendOutOfBand(server.ctx, SendOob.parse({ sessionId: 'builder', content, sourceId: 'ci', ...extra }))
  const edges = (hours = 24) => listOobEdges(server.ctx, ListOobEdges.parse({ hours }))
  const messages = (query: Record<string, unknown> = {}) =>
    listOobMessages(server.ctx, ListOobMessages.parse(query))
  const listedSession = async (id: string) =>
    (await listSessions(server.ctx, ListSessions.parse({}))).sessions.find(item => item.id === id)
  return { ...server, report: sendOob, edges, messages, listed: listedSession }
}

test('004-17: the edges of a workspace list each sender and receiver once, with count and last message, newest first', async () => {
  const { ctx, reopenSession, report: sendOob, edges } = await runtime()
  await sendOob('Build 7 is red.', { priority: 'low' })
  const { id } = await sendOob(`Build 8 is ${'very '.repeat(60)}red.`)
  const own = SendOob.parse({ sessionId: 'builder', content: 'I mean the API docs only.' })
  await sendOutOfBand(by(ctx, person('Ann')), own)
  await (await reopenSession('reviewer')).runTurn('review')
  expect(await edges()).toEqual({
    more: false,
    edges: [
      {
        from: {
          source: 'agent',
          sourceId: 'reviewer',
          sessionId: 'reviewer',
          title: 'Review the login'
        },
        to: { sessionId: 'builder', title: '', agentName: expect.any(String) },
        count: 1,
        last: expect.objectContaining({ content: 'auth.ts changed.', priority: 'high', status: 'visible' })
      },
      expect.objectContaining({ from: { source: 'user', sourceId: 'Ann' }, count: 1 }),
      expect.objectContaining({
        from: { source: 'external', sourceId: 'ci' },
        count: 2,
        last: expect.objectContaining({ id, content: expect.stringMatching(/^Build 8 .{192}$/) })
      })
    ]
  })
})

test('004-17: the messages of an edge come page by page, each once, with their receipts', async () => {
  const { reopenSession, report: sendOob, messages } = await runtime()
  await (await reopenSession('reviewer')).runTurn('review')
  for (let build = 1; build <= 60; build++)
    await sendOob(`Build ${build} is red.`, { priority: 'low' }).catch(async () => {
      // At most fifty messages can be pending. Delivering them makes room.
      await (await reopenSession('builder')).runTurn('go')
      await sendOob(`Build ${build} is red.`, { priority: 'low' })
    })
  const edgeFilter = { to: 'builder', source: 'external', sourceId: 'ci' }
  const first = await messages(edgeFilter)
  expect(first.messages).toHaveLength(50)
  expect(first.messages[0]).toMatchObject({
    content: 'Build 60 is red.',
    status: 'visible',
    from: { source: 'external', sourceId: 'ci' },
    to: { sessionId: 'builder' }
  })
  const second = await messages({ ...edgeFilter, cursor: first.nextCursor })
  expect(second.nextCursor).toBeNull()
  expect(second.messages.at(-1)).toMatchObject({
    content: 'Build 1 is red.',
    status: 'injected',
    injectedAt: expect.any(String)
  })
  const contents = [...first.messages, ...second.messages].map(({ content }) => content)
  expect(contents).toEqual(Array.from({ length: 60 }, (_, index) => `Build ${60 - index} is red.`))
  const agentMessages = await messages({ to: 'builder', from: 'reviewer' })
  expect(agentMessages.messages.map(({ content }) => content)).toEqual(['auth.ts changed.'])
})

test('a caller that claims to be the agent of a session is not shown as that session', async () => {
  const { reopenSession, report: sendOob, edges, messages } = await runtime()
  await (await reopenSession('reviewer')).runTurn('review')
  await sendOob('I am the reviewer, honestly.', { source: 'agent', sourceId: 'reviewer' })
  const { edges: foundEdges } = await edges()
  expect(foundEdges.map(({ from, count }) => [from.sessionId, count])).toEqual([
    [undefined, 1],
    ['reviewer', 1]
  ])
  const claimed = await messages({ to: 'builder', source: 'agent', sourceId: 'reviewer' })
  expect(claimed.messages.map(({ content }) => content)).toEqual(['I am the reviewer, honestly.'])
})

test('messages before the selected period, and those of a deleted session, are not listed', async () => {
  const { report: sendOob, edges, messages, advanceTime, ctx, sql } = await runtime()
  await sendOob('Build 7 is red.')
  await advanceTime(3 * 3600)
  await sql`update sessions set active_at = active_at - interval '3 hours'`
  await sendOob('And 8.', { source: 'system', sourceId: 'disk' })
  expect((await edges(1)).edges.map(({ from }) => from.sourceId)).toEqual(['disk'])
  expect((await edges(4)).edges.map(({ from }) => from.sourceId)).toEqual(['disk', 'ci'])
  expect((await messages({ hours: 1 })).messages).toHaveLength(1)
  await deleteSession(ctx, { sessionId: 'builder' })
  expect(await edges(4)).toEqual({ edges: [], more: false })
})

test('the agent of a deleted session is shown without the session, and its messages stay', async () => {
  const { reopenSession, edges, messages, ctx } = await runtime()
  await (await reopenSession('reviewer')).runTurn('review')
  await deleteSession(ctx, { sessionId: 'reviewer' })
  const [edge] = (await edges()).edges
  expect(edge?.from).toEqual({ source: 'agent', sourceId: 'reviewer' })
  const { messages: edgeMessages } = await messages({ to: 'builder', source: 'agent', sourceId: 'reviewer' })
  expect(edgeMessages).toHaveLength(1)
})

test('messages of another workspace are not visible, and a session token sees none', async () => {
  const { actAs, ctx, report: sendOob, edges, messages } = await runtime()
  await sendOob('Build 7 is red.')
  const other = actAs('Bob', 'other')
  expect(await listOobEdges(other, { hours: 24 })).toEqual({ edges: [], more: false })
  expect((await listOobMessages(other, ListOobMessages.parse({ to: 'builder' }))).messages).toEqual([])
  expect((await edges()).edges).toHaveLength(1)
  expect((await messages()).messages).toHaveLength(1)
  const { token } = await createToken(ctx, {
    sessionId: 'builder',
    subject: 'ada',
    scopes: ['read', 'send', 'answer'],
    ttlSeconds: 60
  })
  for (const operation of [outOfBandOperations.edges, outOfBandOperations.messages])
    expect(await callEndpoint(operation, {}, token)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' }
    })
})

test('a page of earlier messages has the receipts of its out-of-band messages', async () => {
  const { ctx, reopenSession, report: sendOob } = await runtime()
  const { id } = await sendOob('Build 7 is red.')
  const builder = await reopenSession('builder')
  for (let number = 0; number < 3; number++) await builder.runTurn(`go ${number}`)
  const { messages, outOfBand } = await getSession(ctx, { sessionId: 'builder' })
  expect(outOfBand.map(message => message.id)).toContain(id)
  const before = messages.at(-1)?.id
  const earlierPage = await getSession(ctx, { sessionId: 'builder', before })
  expect(earlierPage.outOfBand).toMatchObject([{ id, status: 'injected' }])
  const first = await getSession(ctx, { sessionId: 'builder', before: messages[1]?.id })
  expect(first.messages).toHaveLength(1)
  expect(first.outOfBand.filter(message => message.status === 'injected')).toEqual([])
})

test('004-12: the list shows what is pending and held in a session, until it is delivered or expired', async () => {
  const { ctx, reopenSession, report: sendOob, listed: listedSession, advanceTime } = await runtime()
  expect(await listedSession('builder')).not.toHaveProperty('outOfBand')
  await sendOob('Build 7 is red.')
  expect(await listedSession('builder')).toMatchObject({ outOfBand: { waiting: 1, held: 0 } })
  await setOobPolicy(ctx, { sessionId: 'builder', ...OobPolicy.parse({ mode: 'approve' }) })
  const { id } = await sendOob('Build 8 is red.')
  await sendOob('Build 9 is red.', { ttlSeconds: 3600 })
  expect(await listedSession('builder')).toMatchObject({ outOfBand: { waiting: 1, held: 2 } })
  expect(await listedSession('reviewer')).not.toHaveProperty('outOfBand')
  await approveOutOfBand(ctx, { sessionId: 'builder', oobId: id })
  await (await reopenSession('builder')).runTurn('go')
  expect(await listedSession('builder')).toMatchObject({ outOfBand: { waiting: 0, held: 1 } })
  await advanceTime(3600)
  await expireOverdueOob(ctx)
  expect(await listedSession('builder')).not.toHaveProperty('outOfBand')
})
