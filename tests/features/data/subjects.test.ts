import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { replyCalls, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { by, eveIn } from '#tests/support/servers/actors.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { createFullSession, startFullServer, tablesWith } from '#tests/support/servers/full-session.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { get, send, create, rerunTurn } = sessionOperations
const remove = (subject: string, secret?: string) =>
  callEndpoint(subjectOperations.delete, { params: { subject } }, secret)

/** A name that only the data of one end user contains. */
const ada = 'ada-lovelace-7'

test('deleting an end user deletes their sessions, tokens and name everywhere; other users keep theirs', async () => {
  const server = await startFullServer()
  const { token } = await createFullSession(server, 'first', ada)
  await createFullSession(server, 'second', ada)
  const { session: bobSession } = await createFullSession(server, 'bobs', 'bob')
  await server.sql`
    insert into spending (workspace_id, session_key, day, generation, subject, usd)
    select 'default', key, '2026-01-01', 1, subject, 2 from sessions where subject is not null`
  await server.sql`
    insert into spend_grants (workspace_id, scope, about, period, level, usd, session_key, tool_call_id, granted_by)
    values ('default', 'subject', ${ada}, '2026-01-01', 0, 1, ${bobSession.key}, 'call', 'Ann')`
  expect(await remove(ada)).toEqual({
    status: 200,
    body: { subject: ada, sessions: 2, tokens: 2, elsewhere: 0, remaining: 0 }
  })
  expect(await tablesWith(server.sql, ada)).toEqual([])
  for (const sessionId of ['first', 'second'])
    expect((await callEndpoint(get, { params: { sessionId } })).status).toBe(404)
  expect((await callEndpoint(get, { params: { sessionId: 'first' } }, token)).status).toBe(401)
  expect((await bobSession.get()).messages.length).toBeGreaterThan(0)
  const [spending] = await server.sql`select sum(usd) as usd, count(subject)::int as named from spending`
  expect(spending).toEqual({ usd: 6, named: 1 })
  await expectValidSessions(server.sql)

  expect(await remove(ada)).toEqual({
    status: 200,
    body: { subject: ada, sessions: 0, tokens: 0, elsewhere: 0, remaining: 0 }
  })
})

test('in another user’s session their name is removed and their text stays; users with the same name keep theirs', async () => {
  const server = await startFullServer()
  await server.sql`update agents set config = jsonb_set(config, '{chat,answer}', '{"notAsker": true, "links": true}') where id = 'all'`
  const { session } = await createFullSession(server, 'bobs', 'bob')
  const params = { sessionId: 'bobs' }
  const body = { subject: ada, scopes: ['read', 'send', 'answer'] }
  const token = String((await callEndpoint(tokenOperations.create, { params, body })).body.token)
  const text = 'use web-fetch {"url": "https://acme.example"}\nuse ask-question {"question": "Which?"}'
  const clientTools = [{ name: 'pick', inputSchema: { type: 'object' } }]
  await callEndpoint(send, { params, body: { text, clientTools } }, token)
  const question = await session.waitForCall('ask-question')
  const fetchCall = await session.waitForCall('web-fetch')
  await callEndpoint(
    outOfBandOperations.send,
    { params, body: { content: 'More to come.', priority: 'low' } },
    token
  )
  await callEndpoint(
    callOperations.answer,
    {
      params: { ...params, toolCallId: question.toolCallId },
      body: { output: { answer: `by ${ada}'s hand` } }
    },
    token
  )
  const namesakeMessage = { params, body: { content: `From a namesake`, source: 'external', sourceId: ada } }
  await callEndpoint(outOfBandOperations.send, namesakeMessage)
  const before = await session.get()
  expect(await tablesWith(server.sql, ada)).toEqual(
    expect.arrayContaining([
      'public.calls',
      'public.deliveries',
      'public.events',
      'public.messages',
      'public.out_of_band'
    ])
  )

  expect((await remove(ada)).body).toEqual({
    subject: ada,
    sessions: 0,
    tokens: 1,
    elsewhere: 1,
    remaining: 0
  })
  const viewAfter = await session.get()
  const renamed = JSON.stringify(before)
    .replaceAll(`"sentBy":"${ada}"`, '"sentBy":"a deleted user"')
    .replaceAll(`"answeredBy":"${ada}"`, '"answeredBy":"a deleted user"')
    .replaceAll(`"id":"subject:${ada}","name":"${ada}"`, '"id":"subject:","name":"a deleted user"')
    .replaceAll(`"source":"user","sourceId":"${ada}"`, '"source":"user","sourceId":"a deleted user"')
    .replaceAll(`"others":["Ann","${ada}"]`, '"others":["Ann","a deleted user"]')
  expect(viewAfter).toEqual(JSON.parse(renamed))
  expect(JSON.stringify(viewAfter)).toContain(`by ${ada}'s hand`)
  expect(JSON.stringify(viewAfter)).toContain(`"source":"external","sourceId":"${ada}"`)
  const log = JSON.stringify(await session.log())
  for (const trace of [
    `"sentBy":"${ada}"`,
    `"answeredBy":"${ada}"`,
    `"subject:${ada}"`,
    `"user","sourceId":"${ada}"`,
    `"others":["Ann","${ada}"]`
  ])
    expect(log, trace).not.toContain(trace)
  const [remaining] =
    await server.sql`select count(*)::int as n from deliveries where body::text like ${`%"answeredBy": "${ada}"%`}`
  expect(remaining?.n).toBe(0)
  const [tools] =
    await server.sql`select client_tools -> 0 -> 'declaredBy' as by from sessions where id = 'bobs'`
  expect(tools).toEqual({ by: ['subject:'] })
  // Their messages still have an author, without a name.
  const authors = await server.sql`select id, name from session_authors where session_key = ${session.key}`
  expect(authors).toContainEqual({ id: 'subject:', name: 'a deleted user' })
  expect((await callEndpoint(get, { params }, token)).status).toBe(401)

  // The session can continue as before.
  const ended = session.waitForEnd()
  await session.answer(fetchCall, { approved: false })
  await ended
  await expectValidSessions(server.sql)
  expect((await remove(ada)).body).toMatchObject({ elsewhere: 0, remaining: 0 })
})

test('the log does not contain their name at a message that they deleted', async () => {
  const server = await startFullServer()
  const { session } = await createFullSession(server, 'bobs', 'bob')
  const params = { sessionId: 'bobs' }
  const body = { subject: ada, scopes: ['read', 'send', 'answer'] }
  const token = String((await callEndpoint(tokenOperations.create, { params, body })).body.token)
  const first = await server.reopenSession('bobs')
  const sent = await callEndpoint(send, { params, body: { text: 'Hello.' } }, token)
  await first.waitForEnd()
  const turn = { ...params, messageId: String(sent.body.messageId) }
  const reopened = await server.reopenSession('bobs')
  expect((await callEndpoint(rerunTurn, { params: turn, body: { text: 'Good day.' } }, token)).status).toBe(
    202
  )
  await reopened.waitForEnd()
  expect(JSON.stringify(await session.log())).toContain(`"by":"${ada}"`)
  expect((await remove(ada)).body).toMatchObject({ elsewhere: 1 })
  expect(await tablesWith(server.sql, ada)).toEqual([])
})

test('an account that they connected for another user’s session is deleted, and the call does not name them', async () => {
  const server = await withAcme()
  const { session, ctx, origin, sql } = server
  await session.runTurn('connect acme')
  const call = await waitForConnectionCall(session, 'request_connection')
  const done = session.waitForEnd()
  await connectAt({ ctx: by(ctx, eveIn(session.id)), origin }, session, call)
  await done
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'answered', answeredBy: 'eve' })
  expect(await sql`select connected_by as by from connections`).toEqual([{ by: 'eve' }])
  expect((await remove('eve')).body).toMatchObject({ elsewhere: 1, remaining: 0 })
  const answerers = await sql`select answered_by as by from calls where tool_call_id = ${call.toolCallId}`
  expect(answerers).toEqual([{ by: 'a deleted user' }])
  expect(await sql`select from connections`).toEqual([])
  expect((await session.log()).filter(event => JSON.stringify(event).includes('"answeredBy":"eve"'))).toEqual(
    []
  )
})

test('the log and a branch do not name a user who approved a call that an external system then answered', async () => {
  const server = await startTestServer({ script: [replyCalls({ name: 'dispatch', input: {} })] })
  const dispatch = {
    name: 'dispatch',
    where: 'external',
    description: 'Sends.',
    inputSchema: { type: 'object' }
  }
  const tools = [{ ...dispatch, url: 'https://acme.example/dispatch', approval: 'ask' }]
  await server.saveAgent({ chat: { tools } as never })
  const session = await server.startSession('test')
  await session.runTurn('Send it.')
  const call = await session.waitForCall('dispatch')
  const eveCtx = by(server.ctx, eveIn(session.id))
  await session.answer(call, { approved: true }, eveCtx)
  await session.waitForNextEvent(event => event.type === 'call' && event.call.kind === 'external')
  const messageId = (await session.get()).messages[0]?.id ?? ''
  await branchSession(server.ctx, { sessionId: session.id, messageId, key: 'b' })
  await server.sql`update calls set answered_by = 'Acme', via = 'callback' where tool_call_id = ${call.toolCallId}`
  expect((await remove('eve')).body).toMatchObject({ elsewhere: 1, remaining: 0 })
  for (const table of ['events', 'calls', 'messages', 'deliveries'])
    expect(
      await server.sql`select from ${server.sql(table)} t where t::text like '%approved by eve%'`
    ).toEqual([])
  expect(await tablesWith(server.sql, 'subject:eve')).toEqual([])
})

test('the same applies to calls that they cancelled and caps that they lifted', async () => {
  const server = await startFullServer()
  const { session } = await createFullSession(server, 'bobs', 'bob')
  const params = { sessionId: 'bobs' }
  const body = { subject: ada, scopes: ['read', 'send', 'answer'] }
  const token = String((await callEndpoint(tokenOperations.create, { params, body })).body.token)
  await session.runTurn('use ask-question {"question": "Which?"}')
  const { toolCallId } = (await session.get()).session.waitingFor[0] as { toolCallId: string }
  const ended = session.waitForEnd()
  await callEndpoint(callOperations.cancel, { params: { ...params, toolCallId } }, token)
  await ended
  await server.sql`
    insert into spend_grants (workspace_id, scope, about, period, level, usd, session_key, tool_call_id, granted_by)
    values ('default', 'session', 'bobs', '2026-01-01', 0, 1, ${session.key}, ${toolCallId}, ${ada})`
  expect(await tablesWith(server.sql, ada)).toContain('public.calls')
  expect((await remove(ada)).body).toMatchObject({ sessions: 0, elsewhere: 1 })
  expect(await tablesWith(server.sql, ada)).toEqual([])
})

test('thousands of sessions are deleted in several requests, and each response has the number that remains', async () => {
  const server = await startTestServer()
  await server.sql`
    with made as (
      insert into sessions (workspace_id, id, agent_id, subject, created_by)
      select 'default', 'of-ada-' || n, 'guide', ${ada}, 'test' from generate_series(1, 501) n returning key
    ) insert into heads (session_key) select key from made`
  expect((await remove(ada)).body).toMatchObject({ sessions: 500, remaining: 1 })
  expect((await remove(ada)).body).toMatchObject({ sessions: 1, remaining: 0 })
  expect((await remove(ada)).body).toMatchObject({ sessions: 0, remaining: 0 })
})

test('deleting an end user ends a running turn in their session, and it writes nothing more', async () => {
  const server = await startTestServer({ script: [replyThenHold('Thinking')] })
  await server.saveAgent({})
  await callEndpoint(create, { body: { agentId: 'test', sessionId: 'adas', subject: ada } })
  const session = await server.reopenSession('adas')
  await session.send('go')
  await session.waitForText('Thinking')
  expect((await remove(ada)).body).toMatchObject({ sessions: 1, remaining: 0 })
  server.model.release()
  await session.streamEnd
  expect(await server.sql`select from events where session_key = ${session.key}`).toHaveLength(0)
})

test('only an owner can delete end users, and only those of their own workspace', async () => {
  const server = await startTestServer()
  await callEndpoint(create, { body: { agentId: 'guide', sessionId: 'adas', subject: ada } })
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'other', 'x')`
  const key = async (role: 'editor' | 'owner', workspaceId: string) =>
    (await createKey(ctxFor({ kind: 'system', name: 't', workspaceId }), { name: role, role })).secret
  expect((await remove(ada, await key('editor', 'default'))).status).toBe(403)
  expect(await remove(ada, await key('owner', 'other'))).toMatchObject({ status: 200, body: { sessions: 0 } })
  expect((await callEndpoint(get, { params: { sessionId: 'adas' } })).status).toBe(200)
})
