import { expect, test } from 'vitest'
import { says } from '#tests/support/fakes/openai-replies.ts'
import { startWorkerProcess } from '#tests/support/worlds/worker-process.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('a wake that the database fails is tried again by its job, not left to the sweep of the minute', async () => {
  const here = await testWorld({ script: [says('Here I am.')], settings: { WAYSTATION_ROLE: 'web' } })
  const session = await here.session()
  await session.send('hello')
  // Nobody may lock the head: each of the wake's attempts gives up after 2 s.
  await here.sql.begin(async tx => {
    await tx`select from heads where session_key = ${session.key} for update`
    const worker = await startWorkerProcess(here)
    await expect.poll(worker.complaints, { timeout: 60_000 }).toContain('A wake-up failed')
  })
  const [job] = await here.sql<{ attempts: number; soon: boolean }[]>`
    select attempts, run_at < clock_timestamp() + interval '5 seconds' as soon from graphile_worker.jobs
    where task_identifier = 'wake' and attempts < max_attempts`
  expect(job).toMatchObject({ soon: true })
  // The sweep of the minute may have come just now: then it put another one in the place of this one, which is none any more.
  expect(job?.attempts).toBeLessThanOrEqual(1)
  expect(await session.sees(event => event.type === 'status' && event.outcome !== undefined)).toMatchObject({
    outcome: 'done'
  })
}, 180_000)
