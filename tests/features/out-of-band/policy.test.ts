import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { approveOutOfBand } from '#lib/features/out-of-band/approve-out-of-band.ts'
import { expireLateOob } from '#lib/features/out-of-band/expire.ts'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { removeOutOfBand } from '#lib/features/out-of-band/remove-out-of-band.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { OobPolicy, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { holds, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

async function guarded(policy: Partial<OobPolicy>, script: ModelScript = []) {
  const world = await testWorld({ script })
  await world.agent({})
  const openSession = world.session
  const session = await openSession('test')
  const { id: sessionId } = session
  const set = (to: Partial<OobPolicy>) => setOobPolicy(world.ctx, { sessionId, ...OobPolicy.parse(to) })
  await set(policy)
  const tell = (more: Partial<SendOob> = {}) =>
    sendOutOfBand(world.ctx, SendOob.parse({ sessionId, content: 'News.', sourceId: 'ci', ...more }))
  const approve = (oobId: string) => approveOutOfBand(world.ctx, { sessionId, oobId })
  const statusOf = async (id: string) =>
    (await listOutOfBand(world.ctx, { sessionId })).messages.find(one => one.id === id)?.status
  return { ...world, openSession, session, sessionId, set, tell, approve, statusOf }
}
const refused = { code: 'FORBIDDEN' }

test('004-17: a session that is off takes nothing out of band, and says so', async () => {
  const { ctx, sessionId, tell } = await guarded({ mode: 'off' })
  for (const priority of ['low', 'critical'] as const)
    await expect(tell({ priority })).rejects.toMatchObject(refused)
  await expect(tell({ source: 'user' })).rejects.toMatchObject(refused)
  expect((await listOutOfBand(ctx, { sessionId })).messages).toEqual([])
})

test('004-14: below the minimum priority and from muted sources nothing is taken; a key that was accepted keeps its receipt', async () => {
  const { tell, set } = await guarded({})
  const receipt = await tell({ priority: 'low', key: 'k' })
  await set({ minPriority: 'high', muted: [{ source: 'external', sourceId: 'ci' }, { source: 'agent' }] })
  expect(await tell({ priority: 'low', key: 'k' })).toEqual(receipt)
  await expect(tell({ priority: 'normal', sourceId: 'ops' })).rejects.toMatchObject(refused)
  await expect(tell({ priority: 'critical' })).rejects.toMatchObject(refused)
  await expect(tell({ priority: 'high', source: 'agent', sourceId: 'a' })).rejects.toMatchObject(refused)
  expect((await tell({ priority: 'high', sourceId: 'ops' })).status).toBe('visible')
})

test('004-14: what is neither critical nor a person’s own is held; the agent is told when somebody has let it in, and once', async () => {
  const { sql, model, session, tell, approve, statusOf } = await guarded({ mode: 'approve' }, [
    holds('Working.'),
    says('I see it.')
  ])
  await session.send('go')
  await session.reads('Working.')
  const held = await tell({ content: 'Held back.', priority: 'high' })
  expect(held).toMatchObject({ status: 'held', queuePosition: 0 })
  const mine = await tell({ content: 'By me.', source: 'user', priority: 'low' })
  expect(mine).toMatchObject({ status: 'visible', queuePosition: 1 })
  const [yes, twice] = await Promise.all([approve(held.id), approve(held.id)])
  expect([yes, twice].map(one => one.status)).toEqual(['visible', 'visible'])
  expect(yes.approvedBy).toBeDefined()
  model.release()
  await session.reads('I see it.')
  await expect.poll(() => statusOf(held.id)).toBe('injected')
  expect(JSON.stringify(model.requests[1]?.body.messages).match(/Held back/g)).toHaveLength(1)
  await expectSoundSessions(sql)
})

test('22 S19: where messages are let in by hand, neither an agent’s urgency nor a key’s word for a person gets past that', async () => {
  const { ctx, sessionId, tell, openSession } = await guarded({ mode: 'approve' })
  const says = (by: Actor, more: object) =>
    sendOutOfBand(
      { ...ctx, actor: by },
      SendOob.parse({ sessionId, content: 'News.', sourceId: 'ci', ...more })
    )
  const key = (role: Role): Actor => ({ kind: 'key', keyId: role, name: role, role, workspaceId: 'default' })
  const asUser = { source: 'user', sourceId: 'ada' }
  expect((await says(key('operator'), asUser)).status).toBe('held')
  expect((await says(key('editor'), asUser)).status).toBe('visible')
  const sending = await openSession('test')
  const relay = { key: sending.key, chain: [], hops: 1 }
  const critical = SendOob.parse({
    sessionId,
    content: 'Now.',
    source: 'agent',
    sourceId: 'a',
    priority: 'critical'
  })
  expect((await sendOutOfBand(ctx, critical, relay)).status).toBe('held')
  expect((await tell({ priority: 'critical' })).status).not.toBe('held')
})

test('004-14: a held message that would stop the turn stops it when it is let in, and not before', async () => {
  const { session, tell, approve } = await guarded({ mode: 'approve' }, [holds('Working.')])
  await session.send('go')
  await session.reads('Working.')
  const held = await tell({ content: 'Stop.', source: 'system', metadata: { action: 'abort' } })
  expect(held.status).toBe('held')
  expect((await session.get()).session.status).toBe('running')
  await approve(held.id)
  await session.sees(event => event.type === 'status' && event.outcome === 'cancelled')
})

test('004-14: who asks again what came of a key is not refused for asking often', async () => {
  const { tell } = await guarded({})
  const first = await tell({ key: 'k' })
  for (let n = 0; n < 9; n++) await tell({ content: `${n}` })
  await expect(tell({ content: 'one more' })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await tell({ key: 'k' })).toEqual(first)
})

test('004-14: held, it starts nothing and reaches no prompt; it is taken back, or expires, and can then not be let in', async () => {
  const { ctx, model, session, sessionId, tell, approve, pass, statusOf } = await guarded(
    { mode: 'approve' },
    [says('Hello.'), says('Stopped.')]
  )
  const gone = await tell({ priority: 'high' })
  const late = await tell({ content: 'Late.', priority: 'high', ttlSeconds: 3600 })
  await removeOutOfBand(ctx, { sessionId, oobId: gone.id })
  await session.says('hi')
  expect(JSON.stringify(model.requests[0]?.body.messages)).not.toContain('<out_of_band source')
  await pass(3700)
  await expireLateOob(ctx)
  expect([await statusOf(gone.id), await statusOf(late.id)]).toEqual(['cancelled', 'expired'])
  for (const { id } of [gone, late]) await expect(approve(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(approve('oob_nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await tell({ priority: 'critical' })).status).toBe('visible')
  await session.reads('Stopped.')
})

test('its followers see the policy change, whoever comes later finds it, and another life of the ID begins without it', async () => {
  const { ctx, session, sessionId, set } = await guarded({})
  const policy = { mode: 'approve', minPriority: 'normal', muted: [{ source: 'system' }] } as const
  await set({ ...policy, muted: [...policy.muted] })
  await session.sees(event => event.type === 'session' && event.oobPolicy?.mode === 'approve')
  expect((await getSession(ctx, { sessionId })).oobPolicy).toEqual(policy)
  await deleteSession(ctx, { sessionId })
  await createSession(ctx, { agentId: 'test', sessionId })
  expect((await getSession(ctx, { sessionId })).oobPolicy).toEqual(OobPolicy.parse({}))
})

test('an external agent is sent what was let in, and nothing before', async () => {
  const outside = await startOtherSystem()
  const { ctx } = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: outside.host } })
  const external = { inputUrl: `${outside.url}/in` }
  await createAgent(
    ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  const sessionId = 'order-1'
  await createSession(ctx, { agentId: 'acme', sessionId })
  await setOobPolicy(ctx, { sessionId, ...OobPolicy.parse({ mode: 'approve' }) })
  const held = await sendOutOfBand(ctx, SendOob.parse({ sessionId, content: 'Held.', sourceId: 'shop' }))
  await sendOutOfBand(
    ctx,
    SendOob.parse({ sessionId, content: 'Fire.', priority: 'critical', sourceId: 'shop' })
  )
  expect(JSON.parse((await outside.request(0)).body).message.text).toBe('Fire.')
  expect((await approveOutOfBand(ctx, { sessionId, oobId: held.id })).status).toBe('injected')
  expect(JSON.parse((await outside.request(1)).body).message.text).toBe('Held.')
})
