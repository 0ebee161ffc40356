import { expect, test } from 'vitest'
import { startOtherSystem } from '#tests/support/fakes/external-system.ts'
import { calls, holds, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

const workerIds = async (sql: Awaited<ReturnType<typeof testWorld>>['sql']) =>
  (await sql<{ id: string }[]>`select id from workers`).map(row => row.id)

test('a worker that was suspended too long with no other worker running returns as a new worker and repeats its step', async () => {
  const world = await testWorld({
    script: [holds('Before the'), says('After the sleep.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const zombie = await startWorkerProcess(world)
  const session = await world.session()
  await session.send('tell me')
  await session.reads('Before the')
  const before = await workerIds(world.sql)
  zombie.stop()
  await expect
    .poll(
      async () =>
        (await world.sql`select from workers where heartbeat_at < clock_timestamp() - interval '4 seconds'`)
          .length,
      { timeout: 60_000 }
    )
    .toBe(1)
  zombie.goOn()
  expect(await session.sees(event => event.type === 'status' && event.outcome !== undefined)).toMatchObject({
    outcome: 'done'
  })
  const after = await workerIds(world.sql)
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  expect(await session.said()).toEqual(['After the sleep.'])
  expect(endsOf(await session.log())).toHaveLength(1)
  await expectSoundSessions(world.sql)
}, 180_000)

test('a worker that was suspended too long writes nothing when it resumes, and returns as a new worker', async () => {
  const outside = await startOtherSystem(() => undefined)
  const fetchCall = calls({ name: 'web-fetch', input: { url: `${outside.url}/held` } })
  const script = new Map<string, Reply[]>([
    ['stream', [holds('The zombie says'), says('The living one says it.')]],
    ['tool', [fetchCall, says('Outcome unknown, then.')]]
  ])
  const world = await testWorld({
    script: request => {
      const key = JSON.stringify(request.body.messages).includes('stream') ? 'stream' : 'tool'
      return script.get(key)?.shift() ?? says('Hello.')
    },
    settings: { WAYSTATION_ROLE: 'web', WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const zombie = await startWorkerProcess(world)
  const streaming = await world.session('test')
  const working = await world.session('test')
  await streaming.send('stream')
  await streaming.reads('zombie says')
  await working.send('tool')
  await outside.request(0)
  const before = await workerIds(world.sql)
  const successor = await startWorkerProcess(world)

  zombie.stop()
  for (const session of [streaming, working])
    await session.sees(event => event.type === 'status' && event.outcome === 'done')
  const logs = await Promise.all([streaming.log(), working.log()])

  // It resumes with half a response and half a fetch, and both can now complete.
  world.model.release()
  zombie.goOn()
  await expect
    .poll(async () => (await workerIds(world.sql)).filter(id => !before.includes(id)).length, {
      timeout: 60_000
    })
    .toBe(2)
  expect(await Promise.all([streaming.log(), working.log()])).toEqual(logs)
  expect(await streaming.said()).toEqual(['The living one says it.'])
  expect(endsOf(logs.flat())).toHaveLength(2)
  expect(outside.requests).toHaveLength(1)

  await successor.kill()
  expect(await streaming.says('are you there?')).toMatchObject({ outcome: 'done' })
  await expectSoundSessions(world.sql)
}, 180_000)
