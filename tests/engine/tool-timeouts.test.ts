import { expect, test } from 'vitest'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import type { ChatConfig } from '#lib/protocol/agent/agent.ts'
import type { ToolSettings } from '#lib/protocol/call/tool-settings.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

type Fetches = { settings?: ToolSettings; chat?: Partial<ChatConfig>; steps: string[][] }

/**
 * An agent that fetches these paths, step by step. What is under `/hang` never answers; `/late/<n>` answers when `n` requests
 * are in; everything else at once.
 */
async function fetching({ settings = {}, chat = {}, steps }: Fetches) {
  const held = new Map<number, () => void>()
  let together = 0
  let most = 0
  const outside = await startOtherSystem((response, { path }, index) => {
    together += 1
    most = Math.max(most, together)
    const end = () => {
      together -= 1
      response.end(path)
    }
    response.on('close', () => held.delete(index))
    if (path.startsWith('/hang')) return
    if (!path.startsWith('/held')) return end()
    held.set(index, end)
  })
  const world = await testWorld({
    script: [
      ...steps.map(paths =>
        calls(...paths.map(path => ({ name: 'web-fetch', input: { url: `${outside.url}${path}` } })))
      ),
      says('Done.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }], ...chat } })
  await updateWorkspace(world.ctx, { toolSettings: settings })
  const session = await world.session('test')
  const results = async () =>
    Object.fromEntries(
      (await session.get()).calls.map(({ input, state, errorText, output }) => [
        new URL((input as { url: string }).url).pathname,
        errorText ?? (output === undefined ? state : 'done')
      ])
    )
  const release = () => {
    for (const end of held.values()) end()
    held.clear()
  }
  return { ...world, outside, session, results, release, held, most: () => most }
}

test('001-14: each call has its own time, whichever of the calls it is; a batch keeps what finished and says what did not, in one step', async () => {
  const { session, results, model, sql } = await fetching({
    chat: { tools: [{ name: 'web-fetch', timeoutSeconds: 1 }] },
    steps: [['/a', '/hang', '/b']]
  })
  expect(await session.says('go')).toMatchObject({ outcome: 'done' })
  expect(await results()).toEqual({
    '/a': 'done',
    '/b': 'done',
    '/hang': expect.stringContaining('1 s')
  })
  const told = JSON.stringify(model.requests[1]?.body.messages)
  expect(told).toContain(' 1 s')
  expect(model.requests).toHaveLength(2)
  await expectSoundSessions(sql)
})

test('001-14: a batch timeout throws no finished result away: what ran is kept, what hangs and what had no room is told so', async () => {
  const { session, results, outside } = await fetching({
    settings: { batchTimeoutSeconds: 1, concurrency: 2 },
    steps: [['/a', '/hang/1', '/hang/2', '/never']]
  })
  expect(await session.says('go')).toMatchObject({ outcome: 'done' })
  const stopped = expect.stringContaining('1 s')
  expect(await results()).toEqual({
    '/a': 'done',
    '/hang/1': stopped,
    '/hang/2': stopped,
    '/never': expect.stringContaining('1 s')
  })
  expect(outside.requests.map(({ path }) => path)).not.toContain('/never')
})

test('001-14: so many calls run side by side as the settings say, the others in the order in which they were made', async () => {
  const paths = Array.from({ length: 9 }, (_, n) => `/held/${n}`)
  const { session, outside, held, release, most } = await fetching({
    settings: { concurrency: 3 },
    steps: [paths]
  })
  const ended = session.says('go')
  for (const so of [3, 6, 9]) {
    await outside.request(so - 1)
    expect(outside.requests).toHaveLength(so)
    await expect.poll(() => held.size).toBe(3)
    release()
  }
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(most()).toBe(3)
  const order = outside.requests.map(({ path }) => path)
  for (const so of [0, 3, 6]) expect(order.slice(so, so + 3).toSorted()).toEqual(paths.slice(so, so + 3))
})

test('001-14: eight run side by side where nothing is said, and an agent’s own word comes before the workspace’s', async () => {
  const paths = Array.from({ length: 12 }, (_, n) => `/held/${n}`)
  const { session, outside, held, release, most } = await fetching({
    settings: { timeoutSeconds: 5 },
    steps: [paths]
  })
  const ended = session.says('go')
  await outside.request(7)
  await expect.poll(() => held.size).toBe(8)
  release()
  await outside.request(11)
  await expect.poll(() => held.size).toBe(4)
  release()
  await ended
  expect(most()).toBe(8)
  const own = await fetching({
    settings: { concurrency: 1 },
    chat: { toolSettings: { concurrency: 12 } },
    steps: [paths]
  })
  const ends = own.session.says('go')
  await own.outside.request(11)
  await expect.poll(() => own.held.size).toBe(12)
  own.release()
  expect(await ends).toMatchObject({ outcome: 'done' })
})

test('001-14: twenty calls cost the slowest one, not their sum', async () => {
  const paths = Array.from({ length: 20 }, (_, n) => `/held/${n}`)
  const { session, outside, held, release } = await fetching({
    settings: { concurrency: 20 },
    steps: [paths]
  })
  const ended = session.says('go')
  await outside.request(19)
  await expect.poll(() => held.size).toBe(20)
  release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect((await session.get()).calls.every(({ state }) => state === 'answered')).toBe(true)
})

test('001-14: settings are read by the loop at once: what an owner saves holds for the next step of a turn that runs', async () => {
  const { session, ctx, outside, results, release, held } = await fetching({
    settings: { batchTimeoutSeconds: 600 },
    steps: [['/held'], ['/hang']]
  })
  const ended = session.says('go')
  await outside.request(0)
  await expect.poll(() => held.size).toBe(1)
  await updateWorkspace(ctx, { toolSettings: { batchTimeoutSeconds: 1 } })
  release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await results()).toMatchObject({
    '/hang': expect.stringContaining('1 s')
  })
})

test('001-14: a tool that its agent gives more time than the calls of a step have together keeps that time', async () => {
  const { session, outside, results, release, held } = await fetching({
    settings: { batchTimeoutSeconds: 1 },
    chat: { tools: [{ name: 'web-fetch', timeoutSeconds: 3 }] },
    steps: [['/hang']]
  })
  const ended = session.says('go')
  await outside.request(0)
  expect(held.size).toBe(0)
  release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await results()).toEqual({ '/hang': expect.stringContaining('3 s') })
})

test('001-14: waiting for a person does not count: a call that is approved late has its whole time', async () => {
  const { session, ctx, outside, results, sql } = await fetching({
    settings: { batchTimeoutSeconds: 2 },
    chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] },
    steps: [['/a']]
  })
  await session.says('go')
  const call = await session.waitsFor('web-fetch')
  await sql`update calls set since = since - interval '1 hour' where session_key = ${session.key}`
  await session.answer(call, { approved: true }, ctx)
  expect(await session.ends()).toMatchObject({ outcome: 'done' })
  expect(outside.requests).toHaveLength(1)
  expect(await results()).toEqual({ '/a': 'done' })
})
