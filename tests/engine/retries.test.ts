import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import type { ToolSettings } from '#lib/protocol/call/tool-settings.ts'
import { calls, fails, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { type TestSession, type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

/** A session whose model does this, in a workspace with these settings; its agent may say otherwise. */
async function failing(script: ModelScript, settings: ToolSettings = {}, own?: ToolSettings) {
  const world = await testWorld({ script })
  await world.agent({ chat: own === undefined ? {} : { toolSettings: own } })
  await updateWorkspace(world.ctx, { toolSettings: settings })
  const session = await world.session('test')
  return { ...world, session }
}

const waits = (session: TestSession) =>
  session.events.filter(event => event.type === 'status' && event.retryAt !== undefined)

/** Seconds from a failure to the retry that a session waits for, once it waits for the `nth` one. */
async function waitOf({ sql }: Pick<TestWorld, 'sql'>, session: TestSession, nth = 1): Promise<number> {
  await expect.poll(() => waits(session).length).toBe(nth)
  const { seq, retryAt } = waits(session).at(-1) as { seq: number; retryAt?: string }
  const [event] = await sql<{ at: Date | string }[]>`
    select at from events where session_key = ${session.key} and seq = ${seq}`
  return (Date.parse(retryAt ?? '') - new Date(event?.at ?? '').getTime()) / 1000
}

for (const status of [429, 500, 502, 503, 504])
  test(`001-18: a ${status} is tried again by itself`, async () => {
    const { session, ...world } = await failing([fails(status), says('Hello.')])
    const { model, pass, sql } = world
    await session.send('hi')
    expect(await waitOf(world, session)).toBeLessThanOrEqual(2)
    await pass(3)
    expect(await session.ends()).toMatchObject({ outcome: 'done' })
    expect(model.requests).toHaveLength(2)
    await expectSoundSessions(sql)
  })

test('001-18: Retry-After is applied and not only computed: as seconds and as a date, no earlier, and capped by the settings', async () => {
  const after = (value: string) => fails(429, { headers: { 'retry-after': value } })
  const settings = { retry: { maxRetryAfterSeconds: 300, maxDelaySeconds: 1 } }
  // A date is cut to seconds, and some pass until it is read.
  const inSomeTime = () => new Date(Date.now() + 200_000).toUTCString()
  for (const [sent, least, most] of [
    [() => '100', 95, 100],
    [inSomeTime, 150, 200],
    [() => '86400', 295, 300]
  ] as const) {
    const value = sent()
    const { session, ...world } = await failing([after(value), says('Hello.')], settings)
    const { model, pass } = world
    await session.send('hi')
    const wait = await waitOf(world, session)
    expect(wait, value).toBeGreaterThan(least)
    expect(wait, value).toBeLessThanOrEqual(most)
    await pass(least - 10)
    expect(model.requests).toHaveLength(1)
    await pass(most)
    expect(await session.ends()).toMatchObject({ outcome: 'done' })
  }
})

test('001-18: the tries are the settings’, counted in the database: one means that nothing is tried again', async () => {
  const once = await failing(() => fails(503), { retry: { maxAttempts: 1 } })
  expect(await once.session.says('hi')).toMatchObject({ outcome: 'failed' })
  expect(once.model.requests).toHaveLength(1)
  const thrice = await failing(() => fails(503), { retry: { maxAttempts: 3, initialDelaySeconds: 0 } })
  expect(await thrice.session.says('hi')).toMatchObject({ outcome: 'failed' })
  expect(thrice.model.requests).toHaveLength(3)
})

test('001-18: an agent’s own word comes before its workspace’s', async () => {
  const own = { retry: { maxAttempts: 1 } }
  const { session, model } = await failing(() => fails(503), { retry: { maxAttempts: 5 } }, own)
  expect(await session.says('hi')).toMatchObject({ outcome: 'failed' })
  expect(model.requests).toHaveLength(1)
})

test('001-18: the settings are not written where nothing reads them: what is saved while a retry waits holds for the next failure', async () => {
  const { session, ...world } = await failing(() => fails(503), { retry: { maxAttempts: 20 } })
  const { model, ctx, pass } = world
  await session.send('hi')
  await waitOf(world, session)
  await updateWorkspace(ctx, { toolSettings: { retry: { maxAttempts: 2 } } })
  await pass(10)
  expect(await session.ends()).toMatchObject({ outcome: 'failed' })
  expect(model.requests).toHaveLength(2)
})

test('001-15: the settings of tools are the owner’s to set and see; what does not fit is refused with its field', async () => {
  const { ctx } = await testWorld()
  const { get, update } = workspaceOperations
  const put = (toolSettings: unknown, secret?: string) =>
    callEndpoint(update, { body: { toolSettings } }, secret)
  const settings = {
    timeoutSeconds: 20,
    batchTimeoutSeconds: 90,
    concurrency: 4,
    retry: { maxAttempts: 3, initialDelaySeconds: 1, maxDelaySeconds: 30, multiplier: 2 }
  }
  expect((await callEndpoint(get)).body).toMatchObject({ toolSettings: {} })
  expect(await put(settings)).toMatchObject({ status: 200, body: { toolSettings: settings } })
  await callEndpoint(update, { body: { retentionDays: 30 } })
  for (const [bad, field] of [
    [{ timeoutSeconds: 0 }, 'toolSettings.timeoutSeconds'],
    [{ batchTimeoutSeconds: 1e6 }, 'toolSettings.batchTimeoutSeconds'],
    [{ concurrency: 1.5 }, 'toolSettings.concurrency'],
    [{ concurrency: 65 }, 'toolSettings.concurrency'],
    [{ retry: { maxAttempts: 0 } }, 'toolSettings.retry.maxAttempts'],
    [{ retry: { multiplier: 'two' } }, 'toolSettings.retry.multiplier'],
    [{ timeOut: 1 }, 'toolSettings.timeOut']
  ] as const)
    expect(await put(bad), field).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } }
    })
  expect((await callEndpoint(get)).body).toMatchObject({ toolSettings: settings })
  const ed = await createKey(ctx, { name: 'Ed', role: 'editor' })
  expect((await put({}, ed.secret)).status).toBe(403)
})

test('001-18: a retry after a step of tools runs none of them again', async () => {
  const outside = await startOtherSystem()
  const world = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: `${outside.url}/a` } }), fails(500), says('Done.')],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await world.session('test')
  await session.send('go')
  await waitOf(world, session)
  await world.pass(5)
  expect(await session.ends()).toMatchObject({ outcome: 'done' })
  expect(outside.requests).toHaveLength(1)
})
