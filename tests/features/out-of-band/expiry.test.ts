import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { OobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { applyEvent, emptyTranscript } from '@waystation/protocol/session/fold.ts'
import { UpdateWorkspace } from '@waystation/protocol/workspace/workspace.ts'
import { expect, test } from 'vitest'
import { updateAgent } from '#lib/agents/update.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { approveOutOfBand } from '#lib/features/out-of-band/approve-out-of-band.ts'
import { expireOverdueOob } from '#lib/features/out-of-band/expire.ts'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { removeOutOfBand } from '#lib/features/out-of-band/remove-out-of-band.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const days = 86_400

async function sessionWithOob(script: ModelScript = []) {
  const server = await startTestServer({ script })
  await server.saveAgent({ chat: { tools: [{ name: 'ask-question' }] } })
  const session = await server.startSession('test')
  const { id: sessionId } = session
  const sendOob = (content: string, extra: Partial<SendOob> = {}) =>
    sendOutOfBand(server.ctx, SendOob.parse({ sessionId, content, sourceId: 'ci', ...extra }))
  const remove = (oobId: string) => removeOutOfBand(server.ctx, { sessionId, oobId })
  const find = async (id: string) =>
    (await listOutOfBand(server.ctx, { sessionId })).messages.find(message => message.id === id)
  const expires = (id: string) =>
    session.waitForEvent(
      event => event.type === 'oob' && event.message.id === id && event.message.status === 'expired'
    )
  return { ...server, session, sessionId, report: sendOob, remove, find, expires }
}

test('004-4, 004-14: a message to an idle or a parked session does not expire, and is delivered when the session resumes', async () => {
  const {
    ctx,
    sql,
    model,
    session,
    report: sendOob,
    find,
    advanceTime
  } = await sessionWithOob([
    replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }),
    replyText('Tea it is.')
  ])
  const pendingMessage = await sendOob('Build 7 is red.')
  await advanceTime(3 * days)
  await expireOverdueOob(ctx)
  await session.runTurn('go')
  const call = await session.waitForCall('ask-question')
  const parked = await sendOob('The kettle is broken.', { priority: 'low' })
  await advanceTime(3 * days)
  await expireOverdueOob(ctx)
  expect((await find(parked.id))?.status).toBe('visible')
  await session.answer(call, { output: { answer: 'yes' } })
  await session.waitForText('Tea it is.')
  const [first, second] = model.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(first).toContain('Build 7 is red.')
  expect(second).toContain('The kettle is broken.')
  for (const { id } of [pendingMessage, parked]) {
    expect((await find(id))?.status).toBe('injected')
    expect(await find(id)).not.toHaveProperty('expiresAt')
  }
  await expectValidSessions(sql)
})

test('004-14: the `ttlSeconds` of the message takes precedence, then the agent’s, then the workspace’s; by default it does not expire', async () => {
  const { ctx, report: sendOob, find, expires, advanceTime } = await sessionWithOob()
  const sentTtl = async (ttlSeconds?: number | null) => {
    const { id } = await sendOob('News.', { ...(ttlSeconds === undefined ? {} : { ttlSeconds }) })
    const { queuedAt = '', expiresAt } = (await find(id)) ?? {}
    return expiresAt === undefined ? null : Math.round((Date.parse(expiresAt) - Date.parse(queuedAt)) / 1000)
  }
  const agent = (outOfBand: unknown) =>
    updateAgent(ctx, AgentConfig.parse({ agentId: 'test', displayName: 'Test', outOfBand }))
  expect(await sentTtl()).toBeNull()
  expect(await sentTtl(60)).toBe(60)
  await updateWorkspace(ctx, { outOfBand: { ttlSeconds: 7200 } })
  expect(await sentTtl()).toBe(7200)
  await agent({})
  expect(await sentTtl()).toBe(7200)
  await agent({ ttlSeconds: 600 })
  expect([await sentTtl(), await sentTtl(30), await sentTtl(null)]).toEqual([600, 30, null])
  await agent({ ttlSeconds: null })
  expect(await sentTtl()).toBeNull()
  for (const ttlSeconds of [0, 1.5, 30 * days + 1]) {
    const defaults = { outOfBand: { ttlSeconds } }
    expect(SendOob.safeParse({ sessionId: 's', content: 'x', ttlSeconds }).success).toBe(false)
    expect(UpdateWorkspace.safeParse(defaults).success).toBe(false)
    expect(AgentConfig.safeParse({ agentId: 'test', displayName: 'Test', ...defaults }).success).toBe(false)
  }
  // Its own job expires it on time; the sweep of each minute is only a fallback.
  const { id } = await sendOob('Soon over.', { sourceId: 'clock', ttlSeconds: 90 })
  await advanceTime(91)
  await expires(id)
})

test('22 B1: a key that is used again with another `ttlSeconds` is refused', async () => {
  const { report: sendOob } = await sessionWithOob()
  const first = await sendOob('Once.', { key: 'k', ttlSeconds: 60 })
  expect(await sendOob('Once.', { key: 'k', ttlSeconds: 60 })).toEqual(first)
  await expect(sendOob('Once.', { key: 'k', ttlSeconds: 61 })).rejects.toMatchObject({ code: 'KEY_REUSED' })
})

test('22 B1: a held message keeps its expiry when it is approved', async () => {
  const { ctx, sessionId, report: sendOob, find, advanceTime, expires } = await sessionWithOob()
  await setOobPolicy(ctx, { sessionId, ...OobPolicy.parse({ mode: 'approve' }) })
  const { id, status } = await sendOob('The offer holds for ten minutes.', { ttlSeconds: 600 })
  expect(status).toBe('held')
  await advanceTime(400)
  const before = await find(id)
  expect(await approveOutOfBand(ctx, { sessionId, oobId: id })).toMatchObject({
    status: 'visible',
    expiresAt: before?.expiresAt
  })
  await advanceTime(201)
  await expires(id)
})

test('22 B1: expired and removed messages stay in the session with their status, on the page where they were sent', async () => {
  const {
    ctx,
    sql,
    session,
    sessionId,
    report: sendOob,
    remove,
    advanceTime,
    expires
  } = await sessionWithOob()
  const earlyMessage = await sendOob('Early.')
  await remove(earlyMessage.id)
  // Inserts one and a half pages of messages, without a model.
  await sql`
    insert into messages (session_key, id, pos, role, message, folded_seq, done, done_at)
    select ${session.key}, 'm' || n, n, 'user', jsonb_build_object('id', 'm' || n, 'role', 'user', 'parts', '[]'::jsonb,
      'metadata', jsonb_build_object('createdAt', clock_timestamp())), 0, true, clock_timestamp()
    from generate_series(1, 75) n`
  const removed = await sendOob('Removed.')
  await remove(removed.id)
  const expired = await sendOob('Expired.', { ttlSeconds: 60 })
  await advanceTime(61)
  await expires(expired.id)
  await sql`update out_of_band set queued_at = queued_at + interval '61 seconds'`

  const statuses = (view: { outOfBand: { content: string; status: string }[] }) =>
    view.outOfBand.map(({ content, status }) => [content, status])
  const newest = await getSession(ctx, { sessionId })
  expect(statuses(newest)).toEqual([
    ['Removed.', 'cancelled'],
    ['Expired.', 'expired']
  ])
  const earlierPage = await getSession(ctx, { sessionId, before: newest.messages[0]?.id })
  expect(earlierPage.messages).toHaveLength(25)
  expect(statuses(earlierPage)).toEqual([['Early.', 'cancelled']])
  const liveTranscript = session.events.reduce(applyEvent, emptyTranscript)
  expect(statuses({ outOfBand: Object.values(liveTranscript.outOfBand) })).toEqual([
    ['Early.', 'cancelled'],
    ['Removed.', 'cancelled'],
    ['Expired.', 'expired']
  ])
})
