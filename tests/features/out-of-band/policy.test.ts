import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { builtInPolicy } from '@waystation/protocol/out-of-band/effective-policy.ts'
import { OobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { approveOutOfBand } from '#lib/features/out-of-band/approve-out-of-band.ts'
import { expireOverdueOob } from '#lib/features/out-of-band/expire.ts'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { removeOutOfBand } from '#lib/features/out-of-band/remove-out-of-band.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { by, person } from '#tests/support/servers/actors.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

async function sessionWithPolicy(policy: Partial<OobPolicy>, script: ModelScript = []) {
  const server = await startTestServer({ script })
  await server.saveAgent({})
  const openSession = server.startSession
  const session = await openSession('test')
  const { id: sessionId } = session
  const set = (policyChange: Partial<OobPolicy>) =>
    setOobPolicy(server.ctx, { sessionId, ...OobPolicy.parse(policyChange) })
  await set(policy)
  const sendOob = (extra: Partial<SendOob> = {}) =>
    sendOutOfBand(server.ctx, SendOob.parse({ sessionId, content: 'News.', sourceId: 'ci', ...extra }))
  const approve = (oobId: string) => approveOutOfBand(server.ctx, { sessionId, oobId })
  const statusOf = async (id: string) =>
    (await listOutOfBand(server.ctx, { sessionId })).messages.find(message => message.id === id)?.status
  return { ...server, openSession, session, sessionId, set, report: sendOob, approve, statusOf }
}
const rejection = { code: 'FORBIDDEN' }

test('004-17: a session whose mode is off accepts no out-of-band message, and says so', async () => {
  const { ctx, sessionId, report: sendOob } = await sessionWithPolicy({ mode: 'off' })
  for (const priority of ['low', 'critical'] as const)
    await expect(sendOob({ priority })).rejects.toMatchObject(rejection)
  const ann = by(ctx, person('Ann'))
  const own = SendOob.parse({ sessionId, content: 'News.' })
  await expect(sendOutOfBand(ann, own)).rejects.toMatchObject(rejection)
  expect((await listOutOfBand(ctx, { sessionId })).messages).toEqual([])
})

test('004-14, 004-17: messages below the minimum priority or from muted sources are refused; an accepted key still returns its receipt', async () => {
  const { report: sendOob, set } = await sessionWithPolicy({})
  const receipt = await sendOob({ priority: 'low', key: 'k' })
  await set({ minPriority: 'high', muted: [{ source: 'external', sourceId: 'ci' }, { source: 'agent' }] })
  expect(await sendOob({ priority: 'low', key: 'k' })).toEqual(receipt)
  await expect(sendOob({ priority: 'normal', sourceId: 'ops' })).rejects.toMatchObject(rejection)
  await expect(sendOob({ priority: 'critical' })).rejects.toMatchObject(rejection)
  await expect(sendOob({ priority: 'high', source: 'agent', sourceId: 'a' })).rejects.toMatchObject(rejection)
  expect((await sendOob({ priority: 'high', sourceId: 'ops' })).status).toBe('visible')
})

test('004-14: a message that is neither critical nor a user’s own is held; the agent receives it once, after an approval', async () => {
  const {
    ctx,
    sql,
    model,
    session,
    sessionId,
    report: sendOob,
    approve,
    statusOf
  } = await sessionWithPolicy({ mode: 'approve' }, [replyThenHold('Working.'), replyText('I see it.')])
  await session.send('go')
  await session.waitForText('Working.')
  const heldMessage = await sendOob({ content: 'Held back.', priority: 'high' })
  expect(heldMessage).toMatchObject({ status: 'held', queuePosition: 0 })
  const ownMessage = await sendOutOfBand(
    by(ctx, person('ada')),
    SendOob.parse({ sessionId, content: 'By me.', priority: 'low' })
  )
  expect(ownMessage).toMatchObject({ status: 'visible', queuePosition: 1 })
  const [firstReceipt, secondReceipt] = await Promise.all([approve(heldMessage.id), approve(heldMessage.id)])
  expect([firstReceipt, secondReceipt].map(item => item.status)).toEqual(['visible', 'visible'])
  expect(firstReceipt.approvedBy).toBeDefined()
  model.release()
  await session.waitForText('I see it.')
  await expect.poll(() => statusOf(heldMessage.id)).toBe('injected')
  expect(JSON.stringify(model.requests[1]?.body.messages).match(/Held back/g)).toHaveLength(1)
  await expectValidSessions(sql)
})

test('004-14: a held message that would stop the turn stops it only when it is approved', async () => {
  const {
    session,
    report: sendOob,
    approve
  } = await sessionWithPolicy({ mode: 'approve' }, [replyThenHold('Working.')])
  await session.send('go')
  await session.waitForText('Working.')
  const heldMessage = await sendOob({ content: 'Stop.', source: 'system', metadata: { action: 'abort' } })
  expect(heldMessage.status).toBe('held')
  expect((await session.get()).session.status).toBe('running')
  await approve(heldMessage.id)
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'cancelled')
})

test('004-17: a held message that replaces an earlier one withdraws it only when it is approved', async () => {
  const { report: sendOob, approve, statusOf } = await sessionWithPolicy({ mode: 'approve' }, [])
  const earlier = await sendOob({ content: 'Deploy version 1.' })
  await approve(earlier.id)
  const metadata = { action: 'redirect' as const, relatedTo: earlier.id }
  const correction = await sendOob({ content: 'Deploy version 2.', metadata })
  expect(correction.status).toBe('held')
  expect(await statusOf(earlier.id)).toBe('visible')
  await approve(correction.id)
  expect(await statusOf(earlier.id)).toBe('cancelled')
  expect(await statusOf(correction.id)).toBe('visible')
})

test('004-14: repeating a key to read its receipt does not count against the rate limit', async () => {
  const { report: sendOob } = await sessionWithPolicy({})
  const first = await sendOob({ key: 'k' })
  for (let n = 0; n < 9; n++) await sendOob({ content: `${n}` })
  await expect(sendOob({ content: 'one more' })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await sendOob({ key: 'k' })).toEqual(first)
})

test('004-14: a held message starts nothing and is in no prompt; once it is removed or expired, it cannot be approved', async () => {
  const {
    ctx,
    model,
    session,
    sessionId,
    report: sendOob,
    approve,
    advanceTime,
    statusOf
  } = await sessionWithPolicy({ mode: 'approve' }, [replyText('Hello.'), replyText('Stopped.')])
  const removedMessage = await sendOob({ priority: 'high' })
  const lateMessage = await sendOob({ content: 'Late.', priority: 'high', ttlSeconds: 3600 })
  await removeOutOfBand(ctx, { sessionId, oobId: removedMessage.id })
  await session.runTurn('hi')
  expect(JSON.stringify(model.requests[0]?.body.messages)).not.toContain('<out_of_band source')
  await advanceTime(3700)
  await expireOverdueOob(ctx)
  expect([await statusOf(removedMessage.id), await statusOf(lateMessage.id)]).toEqual([
    'cancelled',
    'expired'
  ])
  for (const { id } of [removedMessage, lateMessage])
    await expect(approve(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(approve('oob_nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await sendOob({ priority: 'critical' })).status).toBe('visible')
  await session.waitForText('Stopped.')
})

test('followers and later readers see a policy change, and a new generation of the ID starts without it', async () => {
  const { ctx, session, sessionId, set } = await sessionWithPolicy({})
  const policy = { mode: 'approve', minPriority: 'normal', muted: [{ source: 'system' }] } as const
  await set({ ...policy, muted: [...policy.muted] })
  await session.waitForEvent(event => event.type === 'session' && event.oobPolicy?.mode === 'approve')
  expect((await getSession(ctx, { sessionId })).oobPolicy).toMatchObject(policy)
  await deleteSession(ctx, { sessionId })
  await createSession(ctx, { agentId: 'test', sessionId })
  expect((await getSession(ctx, { sessionId })).oobPolicy).toEqual(builtInPolicy)
})

test('an external agent receives a message after its approval, and not before', async () => {
  const externalServer = await startExternalSystem()
  const { ctx } = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host } })
  const external = { inputUrl: `${externalServer.url}/in` }
  await createAgent(
    ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  const sessionId = 'order-1'
  await createSession(ctx, { agentId: 'acme', sessionId })
  await setOobPolicy(ctx, { sessionId, ...OobPolicy.parse({ mode: 'approve' }) })
  const heldMessage = await sendOutOfBand(
    ctx,
    SendOob.parse({ sessionId, content: 'Held.', sourceId: 'shop' })
  )
  await sendOutOfBand(
    ctx,
    SendOob.parse({ sessionId, content: 'Fire.', priority: 'critical', sourceId: 'shop' })
  )
  expect(JSON.parse((await externalServer.request(0)).body).message.text).toBe('Fire.')
  expect((await approveOutOfBand(ctx, { sessionId, oobId: heldMessage.id })).status).toBe('injected')
  expect(JSON.parse((await externalServer.request(1)).body).message.text).toBe('Held.')
})
