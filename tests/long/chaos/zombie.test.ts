import { expect, test } from 'vitest'
import { holds, says } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { startWorkerProcess } from '#tests/support/worlds/worker-process.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const workerIds = async (sql: Awaited<ReturnType<typeof testWorld>>['sql']) =>
  (await sql<{ id: string }[]>`select id from workers`).map(row => row.id)

test('a worker that stood still too long while nobody watched comes back as a new one all the same, and begins its step anew', async () => {
  const here = await testWorld({
    script: [holds('Before the'), says('After the sleep.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const zombie = await startWorkerProcess(here)
  const session = await here.session()
  await session.send('tell me')
  await session.reads('Before the')
  const before = await workerIds(here.sql)
  zombie.stop()
  await expect
    .poll(
      async () =>
        (await here.sql`select from workers where beat_at < clock_timestamp() - interval '4 seconds'`).length,
      { timeout: 60_000 }
    )
    .toBe(1)
  zombie.goOn()
  expect(await session.sees(event => event.type === 'status' && event.outcome !== undefined)).toMatchObject({
    outcome: 'done'
  })
  const after = await workerIds(here.sql)
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  expect(await session.said()).toEqual(['After the sleep.'])
  expect(endsOf(await session.log())).toHaveLength(1)
  await expectSoundSessions(here.sql)
}, 180_000)
