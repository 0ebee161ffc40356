import type { CreateSession } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { minuteJobs } from '#lib/compose/jobs.ts'
import { listSubAgents } from '#lib/features/delegation/list-sub-agents.ts'
import { createWebhook } from '#lib/features/webhooks/webhooks.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { by, keyOf } from '#tests/support/servers/actors.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
const chatWith = (instructions: string, more: object = {}) => ({ chat: { instructions, ...more } })
const pin = (sessionId: string, revision: number | 'draft' | null) =>
  callEndpoint(sessionOperations.pin, { params: { sessionId }, body: { revision } })
const create = (ctx: Ctx, input: Partial<CreateSession> = {}) =>
  createSession(ctx, { agentId: 'helper', revision: 'draft', trial: true, ...input })
const listed = async (ctx: Ctx) =>
  (await listSessions(ctx, { limit: 50 })).sessions.map(({ id }) => id).filter(id => id !== 'welcome')
const snapshots = ({ sql }: TestServer) =>
  sql`select revision, source from agent_revisions where revision < 0 order by revision desc`
const promptsOf = (server: TestServer) =>
  server.model.requests.map(({ body }) => /First|Second|Third/.exec(JSON.stringify(body))?.[0])

/** Starts a server with the agent `helper`, whose draft says "Second." */
async function withDraft(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options)
  await helper.create(chatWith('First.'))
  await helper.save(chatWith('Second.'), { base: 1 })
  return server
}

test('a trial runs on the draft as it was, and publishing nothing changes neither history nor numbers', async () => {
  const server = await withDraft({ script: [replyText('1'), replyText('2'), replyText('3')] })
  const trial = await server.reopenSession((await create(server.ctx)).sessionId)
  expect(await trial.runTurn('a')).toMatchObject({ outcome: 'done', revisions: [-1] })
  await helper.save(chatWith('Third.'), { base: 1 })
  expect(await trial.runTurn('b')).toMatchObject({ revisions: [-1] })
  expect(await pin(trial.id, 'draft')).toMatchObject({
    status: 200,
    body: { pinnedRevision: -2, revision: -2 }
  })
  expect(await trial.runTurn('c')).toMatchObject({ revisions: [-2] })
  expect(promptsOf(server)).toEqual(['Second', 'Second', 'Third'])
  expect((await trial.get()).session).toMatchObject({
    trial: true,
    agentRevision: -2,
    pinnedRevision: -2,
    publishedRevision: 1
  })
  expect(await helper.history()).toMatchObject([{ revision: 1 }])
  expect((await helper.publish({ base: 1 })).body).toMatchObject({ revision: 2 })
})

test('sessions on an equal configuration share one snapshot, also at the same moment', async () => {
  const server = await withDraft()
  const made = await Promise.all(Array.from({ length: 5 }, () => create(server.ctx)))
  const pins = await Promise.all(
    made.map(async ({ sessionId }) => (await server.reopenSession(sessionId)).get())
  )
  expect(pins.map(({ session }) => session.pinnedRevision)).toEqual([-1, -1, -1, -1, -1])
  expect(await snapshots(server)).toEqual([{ revision: -1, source: 'trial' }])
  expect((await helper.revision(-1)).body).toMatchObject({ source: 'trial', config: chatWith('Second.') })
})

test('a trial is in no list and no count, its calls do not wait for anyone, and its ID finds it', async () => {
  const question = { name: 'ask-question', input: { question: 'Sure?' } }
  const hooks = await startExternalSystem()
  const server = await startTestServer({
    script: [replyCalls(question), replyCalls(question)],
    settings: { WAYSTATION_EGRESS_ALLOW: hooks.host }
  })
  const { ctx } = server
  await createWebhook(ctx, { url: `${hooks.url}/hook`, events: ['call.opened', 'session.parked'] })
  await helper.create(chatWith('First.', { tools: [{ name: 'ask-question' }] }))
  const trial = await server.reopenSession((await create(ctx, { revision: 1 })).sessionId)
  await trial.runTurn('ask')
  await trial.waitForCall('ask-question')
  const session = await server.startSession('helper')
  await session.runTurn('ask')
  await session.waitForCall('ask-question')
  await hooks.request(1)
  expect(await listed(ctx)).toEqual([session.id])
  const { calls } = await listPendingCalls(ctx, {})
  expect(calls.map(({ sessionId }) => sessionId)).toEqual([session.id])
  expect((await trial.get()).session).toMatchObject({
    trial: true,
    waitingFor: [{ toolName: 'ask-question' }]
  })
  expect(hooks.requests.filter(({ body }) => body.includes(trial.id))).toEqual([])
})

test('a sub-agent of a trial runs on the same snapshot and is a trial too', async () => {
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'spawn-agent', input: { task: 'Count.' } }),
      replyText('7'),
      replyText('Seven.')
    ]
  })
  await helper.create(chatWith('First.'))
  await helper.save(chatWith('Second.', { tools: [{ name: 'spawn-agent' }] }), { base: 1 })
  const trial = await server.reopenSession((await create(server.ctx)).sessionId)
  await trial.send('go')
  await trial.waitForText('Seven.')
  const { subAgents } = await listSubAgents(server.ctx, { sessionId: trial.id })
  const child = await server.reopenSession(subAgents[0]?.sessionId ?? '')
  expect((await child.get()).session).toMatchObject({ trial: true, pinnedRevision: -1 })
  expect(promptsOf(server)).toEqual(['Second', 'Second', 'Second'])
})

test('only editors and owners create trials and run drafts', async () => {
  const server = await withDraft()
  for (const role of ['viewer', 'operator'] as const) {
    const ctx = by(server.ctx, keyOf(role))
    const trial = createSession(ctx, { agentId: 'helper', trial: true })
    await expect(trial).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const draft = createSession(ctx, { agentId: 'helper', revision: 'draft' })
    await expect(draft).rejects.toMatchObject({ code: 'FORBIDDEN' })
  }
  expect(await snapshots(server)).toEqual([])
  expect(await create(by(server.ctx, keyOf('editor')))).toMatchObject({ created: true })
})

test('a snapshot shows the addresses of external tools only to those who can edit', async () => {
  const server = await withDraft()
  const url = 'https://acme.example/hook?secret=1'
  await helper.save(chatWith('Second.', { tools: [externalTool(url)] }), { base: 1 })
  await create(server.ctx)
  const viewer = (await createKey(server.ctx, { name: 'viewer', role: 'viewer' })).secret
  const params = { agentId: 'helper', revision: '-1' }
  const asViewer = await callEndpoint(agentOperations.revision, { params }, viewer)
  expect(asViewer).toMatchObject({ status: 200 })
  expect(JSON.stringify(asViewer.body)).not.toContain('secret=1')
  expect(JSON.stringify((await helper.revision(-1)).body)).toContain('secret=1')
})

test('without a draft, with one that cannot run, or with an external agent, no trial is created', async () => {
  const server = await startTestServer()
  await helper.create(chatWith('First.'))
  await expect(create(server.ctx)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await helper.save(chatWith('@{{workflow.nowhere}}'), { base: 1 })
  await expect(create(server.ctx)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await agentAt('acme').create({ type: 'external', external: { inputUrl: 'https://acme.example/in' } })
  const external = create(server.ctx, { agentId: 'acme', sessionId: 'order-1', revision: 1 })
  await expect(external).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await snapshots(server)).toEqual([])
  expect(await listed(server.ctx)).toEqual([])
})

test('a trial is deleted after a week without activity, then its snapshot, and its ID can be used again', async () => {
  const server = await withDraft()
  const { ctx, sql } = server
  const { sessionId } = await create(ctx, { sessionId: 'try-1' })
  await helper.save(chatWith('Third.'), { base: 1 })
  const kept = await create(ctx, { trial: false })
  await helper.save(chatWith('Second, again.'), { base: 1 })
  await create(ctx, { sessionId: 'try-2' })
  /** Moves trials and snapshots back, and runs the jobs of a minute. */
  const pass = async (days: number) => {
    await sql`update sessions set active_at = active_at - make_interval(days => ${days}) where id = 'try-1'`
    const rows = await sql<{ row: object }[]>`
      delete from agent_revisions r where revision < 0 returning to_jsonb(r) as row`
    await sql`
      insert into agent_revisions
      select workspace_id, agent_id, revision, config, saved_by, saved_at - make_interval(days => ${days}), note, source
      from jsonb_populate_recordset(null::agent_revisions, ${rows.map(({ row }) => row)}::jsonb)`
    await minuteJobs(ctx)['expire-sessions']?.()
    await minuteJobs(ctx)['delete-snapshots']?.()
    return (await snapshots(server)).map(({ revision }) => revision)
  }
  expect(await pass(6)).toEqual([-1, -2, -3])
  expect((await server.reopenSession(sessionId)).id).toBe('try-1')
  // The pin of a session keeps a snapshot, and the newest stays, so that its number is not given again.
  expect(await pass(2)).toEqual([-2, -3])
  await expect(server.reopenSession(sessionId)).rejects.toMatchObject({ code: 'EXPIRED' })
  expect(await create(ctx, { sessionId: 'try-1', trial: false, revision: 1 })).toMatchObject({
    created: true
  })
  expect((await listed(ctx)).sort()).toEqual([kept.sessionId, 'try-1'].sort())
})

test('a trial is deleted a month after it was made, however active its alarms keep it', async () => {
  const server = await withDraft()
  const { sessionId } = await create(server.ctx)
  await server.sql`update sessions set created_at = created_at - interval '31 days' where id = ${sessionId}`
  await minuteJobs(server.ctx)['expire-sessions']?.()
  await expect(server.reopenSession(sessionId)).rejects.toMatchObject({ code: 'EXPIRED' })
})

const externalTool = (url: string) => ({
  name: 'dispatch',
  where: 'external',
  description: 'Sends a crew.',
  inputSchema: { type: 'object' },
  url
})
