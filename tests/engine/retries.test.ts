import type { ToolSettings } from '@waystation/protocol/call/tool-settings.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/**
 * Returns a session whose model plays this script, with these settings of its workspace and of its
 * agent.
 */
async function sessionWithFailures(
  script: ModelScript,
  settings: ToolSettings = {},
  agentSettings?: ToolSettings
) {
  const server = await startTestServer({ script })
  await server.saveAgent({ chat: agentSettings === undefined ? {} : { toolSettings: agentSettings } })
  await updateWorkspace(server.ctx, { toolSettings: settings })
  const session = await server.startSession('test')
  return { ...server, session }
}

const retryWaits = (session: TestSession) =>
  session.events.filter(event => event.type === 'status' && event.retryAt !== undefined)

/** Returns the seconds from a failure to the retry, once the session waits for the `nth` retry. */
async function waitOfRetry({ sql }: Pick<TestServer, 'sql'>, session: TestSession, nth = 1): Promise<number> {
  await expect.poll(() => retryWaits(session).length).toBe(nth)
  const { seq, retryAt } = retryWaits(session).at(-1) as { seq: number; retryAt?: string }
  const [event] = await sql<{ at: Date | string }[]>`
    select at from events where session_key = ${session.key} and seq = ${seq}`
  return (Date.parse(retryAt ?? '') - new Date(event?.at ?? '').getTime()) / 1000
}

for (const status of [429, 500, 502, 503, 504])
  test(`001-18: a ${status} is retried automatically`, async () => {
    const { session, ...server } = await sessionWithFailures([replyError(status), replyText('Hello.')])
    const { model, advanceTime, sql } = server
    await session.send('hi')
    expect(await waitOfRetry(server, session)).toBeLessThanOrEqual(2)
    await advanceTime(3)
    expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
    expect(model.requests).toHaveLength(2)
    await expectValidSessions(sql)
  })

test('001-18: Retry-After delays the retry, as seconds or as a date, is never shortened, and is capped by the settings', async () => {
  const retryAfter = (value: string) => replyError(429, { headers: { 'retry-after': value } })
  const settings = { retry: { maxRetryAfterSeconds: 300, maxDelaySeconds: 1 } }
  // The header has whole seconds, and some time passes before the server reads it.
  const httpDateAhead = () => new Date(Date.now() + 200_000).toUTCString()
  for (const [sent, min, max] of [
    [() => '100', 95, 100],
    [httpDateAhead, 150, 200],
    [() => '86400', 295, 300]
  ] as const) {
    const value = sent()
    const { session, ...server } = await sessionWithFailures(
      [retryAfter(value), replyText('Hello.')],
      settings
    )
    const { model, advanceTime } = server
    await session.send('hi')
    const wait = await waitOfRetry(server, session)
    expect(wait, value).toBeGreaterThan(min)
    expect(wait, value).toBeLessThanOrEqual(max)
    await advanceTime(min - 10)
    expect(model.requests).toHaveLength(1)
    await advanceTime(max)
    expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
  }
})

test('001-18: the settings limit the attempts, which the database counts; with one attempt nothing is retried', async () => {
  const singleAttempt = await sessionWithFailures(() => replyError(503), { retry: { maxAttempts: 1 } })
  expect(await singleAttempt.session.runTurn('hi')).toMatchObject({ outcome: 'failed' })
  expect(singleAttempt.model.requests).toHaveLength(1)
  const threeAttempts = await sessionWithFailures(() => replyError(503), {
    retry: { maxAttempts: 3, initialDelaySeconds: 0 }
  })
  expect(await threeAttempts.session.runTurn('hi')).toMatchObject({ outcome: 'failed' })
  expect(threeAttempts.model.requests).toHaveLength(3)
})

test('001-18: the settings of an agent take precedence over those of its workspace', async () => {
  const agentRetry = { retry: { maxAttempts: 1 } }
  const { session, model } = await sessionWithFailures(
    () => replyError(503),
    { retry: { maxAttempts: 5 } },
    agentRetry
  )
  expect(await session.runTurn('hi')).toMatchObject({ outcome: 'failed' })
  expect(model.requests).toHaveLength(1)
})

test('001-18: settings are read at each failure, so that a change during a retry applies to the next failure', async () => {
  const { session, ...server } = await sessionWithFailures(() => replyError(503), {
    retry: { maxAttempts: 20 }
  })
  const { model, ctx, advanceTime } = server
  await session.send('hi')
  await waitOfRetry(server, session)
  await updateWorkspace(ctx, { toolSettings: { retry: { maxAttempts: 2 } } })
  await advanceTime(10)
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'failed' })
  expect(model.requests).toHaveLength(2)
})

test('001-15: only the owner sets and reads tool settings; an invalid setting is refused with its field', async () => {
  const { ctx } = await startTestServer()
  const { get, update } = workspaceOperations
  const saveSettings = (toolSettings: unknown, secret?: string) =>
    callEndpoint(update, { body: { toolSettings } }, secret)
  const settings = {
    timeoutSeconds: 20,
    batchTimeoutSeconds: 90,
    concurrency: 4,
    retry: { maxAttempts: 3, initialDelaySeconds: 1, maxDelaySeconds: 30, multiplier: 2 }
  }
  expect((await callEndpoint(get)).body).toMatchObject({ toolSettings: {} })
  expect(await saveSettings(settings)).toMatchObject({ status: 200, body: { toolSettings: settings } })
  await callEndpoint(update, { body: { retentionDays: 30 } })
  for (const [invalid, field] of [
    [{ timeoutSeconds: 0 }, 'toolSettings.timeoutSeconds'],
    [{ batchTimeoutSeconds: 1e6 }, 'toolSettings.batchTimeoutSeconds'],
    [{ concurrency: 1.5 }, 'toolSettings.concurrency'],
    [{ concurrency: 65 }, 'toolSettings.concurrency'],
    [{ retry: { maxAttempts: 0 } }, 'toolSettings.retry.maxAttempts'],
    [{ retry: { multiplier: 'two' } }, 'toolSettings.retry.multiplier'],
    [{ timeOut: 1 }, 'toolSettings.timeOut']
  ] as const)
    expect(await saveSettings(invalid), field).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } }
    })
  expect((await callEndpoint(get)).body).toMatchObject({ toolSettings: settings })
  const editorKey = await createKey(ctx, { name: 'Ed', role: 'editor' })
  expect((await saveSettings({}, editorKey.secret)).status).toBe(403)
})

test('001-18: a retry after a step with tools runs none of the tools again', async () => {
  const externalServer = await startExternalSystem()
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/a` } }),
      replyError(500),
      replyText('Done.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await server.startSession('test')
  await session.send('go')
  await waitOfRetry(server, session)
  await server.advanceTime(5)
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
  expect(externalServer.requests).toHaveLength(1)
})
