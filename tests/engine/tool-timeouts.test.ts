import type { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import type { ToolSettings } from '@waystation/protocol/call/tool-settings.ts'
import { expect, test } from 'vitest'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

type FetchOptions = { settings?: ToolSettings; chat?: Partial<ChatConfig>; steps: string[][] }

/**
 * Returns an agent that fetches these paths, step by step. Paths below `/hang` never respond, `/late/<n>`
 * responds after `n` requests, and every other path responds at once.
 */
async function agentWithFetches({ settings = {}, chat = {}, steps }: FetchOptions) {
  const waitingResponses = new Map<number, () => void>()
  let running = 0
  let maxRunning = 0
  const externalSystem = await startExternalSystem((response, { path }, index) => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    const end = () => {
      running -= 1
      response.end(path)
    }
    response.on('close', () => waitingResponses.delete(index))
    if (path.startsWith('/hang')) return
    if (!path.startsWith('/held')) return end()
    waitingResponses.set(index, end)
  })
  const server = await startTestServer({
    script: [
      ...steps.map(paths =>
        replyCalls(
          ...paths.map(path => ({ name: 'web-fetch', input: { url: `${externalSystem.url}${path}` } }))
        )
      ),
      replyText('Done.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }], ...chat } })
  await updateWorkspace(server.ctx, { toolSettings: settings })
  const session = await server.startSession('test')
  const results = async () =>
    Object.fromEntries(
      (await session.get()).calls.map(({ input, state, errorText, output }) => [
        new URL((input as { url: string }).url).pathname,
        errorText ?? (output === undefined ? state : 'done')
      ])
    )
  const release = () => {
    for (const end of waitingResponses.values()) end()
    waitingResponses.clear()
  }
  return { ...server, externalSystem, session, results, release, waitingResponses, most: () => maxRunning }
}

test('001-14: each call has its own timeout, wherever it is in the step; a batch keeps finished results and reports the others in one step', async () => {
  const { session, results, model, sql } = await agentWithFetches({
    chat: { tools: [{ name: 'web-fetch', timeoutSeconds: 1 }] },
    steps: [['/a', '/hang', '/b']]
  })
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
  expect(await results()).toEqual({
    '/a': 'done',
    '/b': 'done',
    '/hang': expect.stringContaining('1 s')
  })
  const promptText = JSON.stringify(model.requests[1]?.body.messages)
  expect(promptText).toContain(' 1 s')
  expect(model.requests).toHaveLength(2)
  await expectValidSessions(sql)
})

test('001-14: a batch timeout keeps every finished result; calls that hang or did not start report it', async () => {
  const { session, results, externalSystem } = await agentWithFetches({
    settings: { batchTimeoutSeconds: 1, concurrency: 2 },
    steps: [['/a', '/hang/1', '/hang/2', '/never']]
  })
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
  const timeoutText = expect.stringContaining('1 s')
  expect(await results()).toEqual({
    '/a': 'done',
    '/hang/1': timeoutText,
    '/hang/2': timeoutText,
    '/never': expect.stringContaining('1 s')
  })
  expect(externalSystem.requests.map(({ path }) => path)).not.toContain('/never')
})

test('001-14: as many calls run in parallel as the settings allow, and the others run in the order of the step', async () => {
  const paths = Array.from({ length: 9 }, (_, n) => `/held/${n}`)
  const {
    session,
    externalSystem,
    waitingResponses,
    release,
    most: maxRunning
  } = await agentWithFetches({
    settings: { concurrency: 3 },
    steps: [paths]
  })
  const ended = session.runTurn('go')
  for (const label of [3, 6, 9]) {
    await externalSystem.request(label - 1)
    expect(externalSystem.requests).toHaveLength(label)
    await expect.poll(() => waitingResponses.size).toBe(3)
    release()
  }
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(maxRunning()).toBe(3)
  const order = externalSystem.requests.map(({ path }) => path)
  for (const label of [0, 3, 6])
    expect(order.slice(label, label + 3).toSorted()).toEqual(paths.slice(label, label + 3))
})

test('001-14: eight calls run in parallel by default, and the setting of an agent takes precedence over its workspace', async () => {
  const paths = Array.from({ length: 12 }, (_, n) => `/held/${n}`)
  const {
    session,
    externalSystem,
    waitingResponses,
    release,
    most: maxRunning
  } = await agentWithFetches({
    settings: { timeoutSeconds: 5 },
    steps: [paths]
  })
  const ended = session.runTurn('go')
  await externalSystem.request(7)
  await expect.poll(() => waitingResponses.size).toBe(8)
  release()
  await externalSystem.request(11)
  await expect.poll(() => waitingResponses.size).toBe(4)
  release()
  await ended
  expect(maxRunning()).toBe(8)
  const agentOverride = await agentWithFetches({
    settings: { concurrency: 1 },
    chat: { toolSettings: { concurrency: 12 } },
    steps: [paths]
  })
  const turnEnd = agentOverride.session.runTurn('go')
  await agentOverride.externalSystem.request(11)
  await expect.poll(() => agentOverride.waitingResponses.size).toBe(12)
  agentOverride.release()
  expect(await turnEnd).toMatchObject({ outcome: 'done' })
})

test('001-14: twenty parallel calls take as long as the slowest one, not their sum', async () => {
  const paths = Array.from({ length: 20 }, (_, n) => `/held/${n}`)
  const { session, externalSystem, waitingResponses, release } = await agentWithFetches({
    settings: { concurrency: 20 },
    steps: [paths]
  })
  const ended = session.runTurn('go')
  await externalSystem.request(19)
  await expect.poll(() => waitingResponses.size).toBe(20)
  release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect((await session.get()).calls.every(({ state }) => state === 'answered')).toBe(true)
})

test('001-14: the loop reads settings for each step, so that a change applies to the next step of a running turn', async () => {
  const { session, ctx, externalSystem, results, release, waitingResponses } = await agentWithFetches({
    settings: { batchTimeoutSeconds: 600 },
    steps: [['/held'], ['/hang']]
  })
  const ended = session.runTurn('go')
  await externalSystem.request(0)
  await expect.poll(() => waitingResponses.size).toBe(1)
  await updateWorkspace(ctx, { toolSettings: { batchTimeoutSeconds: 1 } })
  release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await results()).toMatchObject({
    '/hang': expect.stringContaining('1 s')
  })
})

test('001-14: a tool whose agent gives it more time than the batch timeout keeps that time', async () => {
  const { session, externalSystem, results, release, waitingResponses } = await agentWithFetches({
    settings: { batchTimeoutSeconds: 1 },
    chat: { tools: [{ name: 'web-fetch', timeoutSeconds: 3 }] },
    steps: [['/hang']]
  })
  const ended = session.runTurn('go')
  await externalSystem.request(0)
  expect(waitingResponses.size).toBe(0)
  release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await results()).toEqual({ '/hang': expect.stringContaining('3 s') })
})

test('001-14: waiting for a user does not count: a call that is approved late has its full time', async () => {
  const { session, ctx, externalSystem, results, sql } = await agentWithFetches({
    settings: { batchTimeoutSeconds: 2 },
    chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] },
    steps: [['/a']]
  })
  await session.runTurn('go')
  const call = await session.waitForCall('web-fetch')
  await sql`update calls set since = since - interval '1 hour' where session_key = ${session.key}`
  await session.answer(call, { approved: true }, ctx)
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
  expect(externalSystem.requests).toHaveLength(1)
  expect(await results()).toEqual({ '/a': 'done' })
})
