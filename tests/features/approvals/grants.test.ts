import type { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import type { ToolRules } from '@waystation/protocol/call/tool-rules.ts'
import { expect, test } from 'vitest'
import { members, users } from '#db/schema/workspaces.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { revokeKey } from '#lib/auth/keys/revoke-key.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { listGrants, listSessionGrants } from '#lib/features/approvals/list-grants.ts'
import { revokeGrant, revokeSessionGrant } from '#lib/features/approvals/revoke-grant.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { grantOperations } from '#lib/http/operations/grants.ts'
import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/**
 * Returns a session whose agent fetches the next of these paths for each message, and needs approval for each.
 */
async function sessionWithFetches(
  paths: string[][],
  { rules = [] as ToolRules, chat = {} as Partial<ChatConfig> } = {}
) {
  const externalSystem = await startExternalSystem()
  const script = paths.flatMap(step => [
    replyCalls(...step.map(path => ({ name: 'web-fetch', input: { url: `${externalSystem.url}${path}` } }))),
    replyText('Done.')
  ])
  const server = await startTestServer({ script, settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  const tools: ChatConfig['tools'] = [{ name: 'web-fetch', approval: 'ask' }]
  await server.saveAgent({ chat: { tools, ...chat } })
  await updateWorkspace(server.ctx, { toolRules: rules })
  const fetchedPaths = () => externalSystem.requests.map(({ path }) => path)
  return {
    ...server,
    externalSystem,
    fetched: fetchedPaths,
    tools,
    newSession: server.startSession,
    session: await server.startSession('test')
  }
}

/** Returns the paths that wait for approval in a session. */
const pendingPaths = async (session: TestSession) =>
  (await session.get()).session.waitingFor.map(
    ({ input }) => new URL((input as { url: string }).url).pathname
  )

async function approvePending(session: TestSession, extra: object = {}) {
  const [call] = (await session.get()).session.waitingFor
  if (call === undefined) throw new Error('Nothing waits.')
  const ended = session.waitForEnd()
  await session.answer(call, { approved: true, ...extra })
  await ended
  return call
}

test('001-15: an approval applies once by default; for the session it applies to the same arguments only', async () => {
  const { session, fetched: fetchedPaths, sql } = await sessionWithFetches([['/a'], ['/a'], ['/a'], ['/b']])
  await session.runTurn('one')
  await approvePending(session)
  await session.runTurn('two')
  expect(await pendingPaths(session)).toEqual(['/a'])
  await approvePending(session, { remember: 'session' })
  expect(await session.runTurn('three')).toMatchObject({ outcome: 'done' })
  expect(fetchedPaths()).toEqual(['/a', '/a', '/a'])
  expect((await session.get()).calls.at(-1)).toMatchObject({
    kind: 'server',
    state: 'answered',
    reason: expect.stringContaining('Ann')
  })
  await session.runTurn('four')
  expect(await pendingPaths(session)).toEqual(['/b'])
  await expectValidSessions(sql)
})

test('001-15: with any arguments an approval applies to the tool; another session still asks', async () => {
  const { session, ...server } = await sessionWithFetches([['/a'], ['/b', '/c'], ['/d']])
  await session.runTurn('one')
  await approvePending(session, { remember: 'session', anyArguments: true })
  expect(await session.runTurn('two')).toMatchObject({ outcome: 'done' })
  expect(server.fetched().toSorted()).toEqual(['/a', '/b', '/c'])
  const other = await server.newSession('test')
  await other.runTurn('three')
  expect(await pendingPaths(other)).toEqual(['/d'])
})

test('001-15: each call of a batch is compared with the remembered approvals, not only the first', async () => {
  const { session, fetched: fetchedPaths } = await sessionWithFetches([['/a'], ['/a', '/b', '/a']])
  await session.runTurn('one')
  await approvePending(session, { remember: 'session' })
  await session.runTurn('two')
  expect(await pendingPaths(session)).toEqual(['/b'])
  await expect.poll(fetchedPaths).toEqual(['/a', '/a', '/a'])
})

test('001-15: always applies to every session of the workspace until an owner revokes it; then the next step asks again', async () => {
  const { session, ctx, ...server } = await sessionWithFetches([['/a'], ['/a'], ['/a']])
  await session.runTurn('one')
  const call = await approvePending(session, { remember: 'always' })
  const other = await server.newSession('test')
  expect(await other.runTurn('two')).toMatchObject({ outcome: 'done' })
  const { grants } = await listGrants(ctx, {})
  expect(grants).toMatchObject([
    {
      toolName: 'web-fetch',
      holds: 'always',
      input: call.input,
      grantedBy: 'Ann',
      sessionId: session.id,
      toolCallId: call.toolCallId
    }
  ])
  expect(await listSessionGrants(ctx, { sessionId: session.id })).toEqual({ grants: [] })
  await revokeGrant(ctx, { grantId: grants[0]?.grantId ?? '' })
  expect(await listGrants(ctx, {})).toEqual({ grants: [] })
  await expect(revokeGrant(ctx, { grantId: grants[0]?.grantId ?? '' })).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
  await other.runTurn('three')
  expect(await pendingPaths(other)).toEqual(['/a'])
})

test('001-15: deny patterns take precedence over every remembered approval', async () => {
  const { session, ctx, fetched: fetchedPaths } = await sessionWithFetches([['/a'], ['/secret', '/b']])
  await session.runTurn('one')
  await approvePending(session, { remember: 'always', anyArguments: true })
  await updateWorkspace(ctx, { toolRules: [{ deny: ['/secret'] }, { mode: 'ask' }] })
  expect(await session.runTurn('two')).toMatchObject({ outcome: 'done' })
  expect((await session.get()).calls.map(({ state }) => state).toSorted()).toEqual([
    'answered',
    'approved',
    'denied'
  ])
  expect(fetchedPaths()).toEqual(['/a', '/b'])
})

test('001-15: the audit records who remembered, used and revoked an approval, even after the session is deleted', async () => {
  const { session, ctx } = await sessionWithFetches([['/a'], ['/a']])
  await session.runTurn('one')
  await approvePending(session, { remember: 'session' })
  await session.runTurn('two')
  const [grant] = (await listSessionGrants(ctx, { sessionId: session.id })).grants
  await revokeSessionGrant(ctx, { sessionId: session.id, grantId: grant?.grantId ?? '' })
  const [first, second] = (await session.get()).calls
  await deleteSession(ctx, { sessionId: session.id })
  const { entries } = (await callEndpoint(externalOperations.audit)).body as { entries: object[] }
  const auditEntry = { actor: 'Ann', credential: `grant ${grant?.grantId}`, toolName: 'web-fetch' }
  expect(entries).toMatchObject([
    { ...auditEntry, action: 'grant.revoked' },
    { ...auditEntry, action: 'call.granted', toolCallId: second?.toolCallId },
    { ...auditEntry, action: 'grant.made', toolCallId: first?.toolCallId }
  ])
})

/** Creates a member of the workspace with this role, and returns their actor. */
async function member({ ctx }: Pick<TestServer, 'ctx'>, userId: string, role: Role): Promise<Actor> {
  await ctx.db.insert(users).values({ id: userId, name: userId })
  await ctx.db.insert(members).values({ workspaceId: 'default', userId, role })
  return { kind: 'person', userId, name: userId, role, workspaceId: 'default' }
}

const revocations: [what: string, holds: 'session' | 'always', end: string][] = [
  ['a member who left', 'session', 'delete from members'],
  ['a member who is a viewer now', 'session', "update members set role = 'viewer'"],
  ['an owner who is an operator now, if it holds always', 'always', "update members set role = 'operator'"]
]
for (const [label, scope, end] of revocations)
  test(`22 A9: a remembered approval ends with the role of its approver: ${label}`, async () => {
    const { session, ...server } = await sessionWithFetches([['/a'], ['/a'], ['/a']])
    const patActor = await member(server, 'pat', 'owner')
    await session.runTurn('one')
    const call = await session.waitForCall('web-fetch')
    const ended = session.waitForEnd()
    await session.answer(call, { approved: true, remember: scope }, ctxFor(patActor))
    await ended
    expect(await session.runTurn('two')).toMatchObject({ outcome: 'done' })
    await server.sql.unsafe(`${end} where user_id = 'pat'`)
    await session.runTurn('three')
    expect(await pendingPaths(session)).toEqual(['/a'])
  })

test('22 A9: a remembered approval ends with the role of its approver: a key that was revoked', async () => {
  const { session, ctx } = await sessionWithFetches([['/a'], ['/a'], ['/a']])
  const { key, secret } = await createKey(ctx, { name: 'Robot', role: 'operator' })
  await session.runTurn('one')
  const { toolCallId } = await session.waitForCall('web-fetch')
  const ended = session.waitForEnd()
  const params = { sessionId: session.id, toolCallId }
  await callEndpoint(callOperations.answer, { params, body: { approved: true, remember: 'session' } }, secret)
  await ended
  expect(await session.runTurn('two')).toMatchObject({ outcome: 'done' })
  await revokeKey(ctx, { keyId: key.id })
  await session.runTurn('three')
  expect(await pendingPaths(session)).toEqual(['/a'])
})

test('001-15: a tool that has changed asks again', async () => {
  const note = (description: string) => ({
    name: 'note',
    where: 'external' as const,
    description,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    url: 'http://127.0.0.1:9/',
    approval: 'ask' as const,
    retries: 0
  })
  const server = await startTestServer({ script: () => replyCalls({ name: 'note', input: { text: 'x' } }) })
  await server.saveAgent({ chat: { tools: [note('Notes.')] } })
  const session = await server.startSession('test')
  await session.runTurn('one')
  const call = await session.waitForCall('note')
  await session.answer(call, { approved: true, remember: 'always', anyArguments: true })
  const askAgain = async () => {
    const other = await server.startSession('test')
    await other.runTurn('go')
    return (await other.get()).session.waitingFor
  }
  expect(await askAgain()).toMatchObject([{ kind: 'external', reason: expect.stringContaining('Ann') }])
  await server.saveAgent({ chat: { tools: [note('Notes, and sends what it was told to everybody.')] } })
  expect(await askAgain()).toMatchObject([{ kind: 'approval' }])
})

test('001-15: the edited arguments are remembered, not those of the agent', async () => {
  const { session, externalSystem } = await sessionWithFetches([['/a'], ['/a', '/b']])
  await session.runTurn('one')
  await approvePending(session, { remember: 'session', input: { url: `${externalSystem.url}/b` } })
  await session.runTurn('two')
  expect(await pendingPaths(session)).toEqual(['/a'])
})

test('001-15: only an approval is remembered; a repeated answer remembers nothing more, and a different one has lost', async () => {
  const { session, ctx } = await sessionWithFetches([['/a']])
  await session.runTurn('one')
  const [call] = (await session.get()).session.waitingFor
  if (call === undefined) throw new Error('Nothing waits.')
  for (const answer of [
    { approved: false, remember: 'session' as const },
    { approved: true, anyArguments: true }
  ])
    await expect(session.answer(call, answer)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const approvalForSession = { approved: true, remember: 'session' as const }
  await Promise.all([session.answer(call, approvalForSession), session.answer(call, approvalForSession)])
  expect((await listSessionGrants(ctx, { sessionId: session.id })).grants).toHaveLength(1)
  await expect(session.answer(call, { ...approvalForSession, remember: 'always' })).rejects.toMatchObject({
    code: 'ALREADY_SETTLED'
  })
  expect((await listGrants(ctx, {})).grants).toEqual([])
})

test('001-15: only users who can change the rules can approve always; links and session tokens approve once', async () => {
  const { session, ctx } = await sessionWithFetches([['/a']])
  await session.runTurn('one')
  const [call] = (await session.get()).session.waitingFor
  const params = { sessionId: session.id, toolCallId: call?.toolCallId ?? '' }
  const { secret } = await createKey(ctx, { name: 'Olga', role: 'operator' })
  const token = await createToken(ctx, {
    sessionId: session.id,
    subject: 'sam',
    scopes: ['read', 'answer'],
    ttlSeconds: 600
  })
  const answers = (remember: string, auditEntry: string) =>
    callEndpoint(callOperations.answer, { params, body: { approved: true, remember } }, auditEntry)
  expect(await answers('always', secret)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' }
  })
  expect(await answers('session', token.token)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' }
  })
  expect(await answers('for ever', secret)).toMatchObject({ status: 422 })
  const system = ctxFor({ kind: 'system', name: 'The answer link', workspaceId: 'default' })
  const answer = { approved: true, remember: 'session' as const }
  await expect(answerCall(system, { ...params, answer, via: 'link' })).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  expect(await pendingPaths(session)).toEqual(['/a'])
  expect((await callEndpoint(grantOperations.list, {}, secret)).status).toBe(403)
  expect(await answers('session', secret)).toMatchObject({ status: 200 })
  expect((await callEndpoint(grantOperations.listOfSession, { params }, secret)).body).toMatchObject({
    grants: [{ grantedBy: 'Olga', holds: 'session' }]
  })
})

test('001-15: a remembered approval covers only calls that its giver could approve, not those they ask for themselves', async () => {
  const answer = { notAsker: true }
  const { session, ctx } = await sessionWithFetches([['/a'], ['/a'], ['/a']], { chat: { answer } })
  const person = (userId: string, role: Role): Actor => ({
    kind: 'person',
    userId,
    name: userId,
    role,
    workspaceId: 'default'
  })
  for (const userId of ['ada', 'bob']) {
    await ctx.db.insert(users).values({ id: userId, name: userId })
    await ctx.db.insert(members).values({ workspaceId: 'default', userId, role: 'owner' })
  }
  const [ada, bob] = [ctxFor(person('ada', 'owner')), ctxFor(person('bob', 'owner'))]
  const runAs = async (caller: typeof ctx) => {
    const ended = session.waitForEnd()
    await sendMessage(caller, { sessionId: session.id, text: 'go', whenBusy: 'reject' })
    await ended
  }
  await runAs(ada)
  const [call] = (await session.get()).session.waitingFor
  const ended = session.waitForEnd()
  await session.answer(call as never, { approved: true, remember: 'session' }, bob)
  await ended
  await runAs(bob)
  expect(await pendingPaths(session)).toEqual(['/a'])
})
