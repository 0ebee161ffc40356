import { expect, test } from 'vitest'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

test('a wake-up that fails on the database is retried by its job, not by the sweep of the minute', async () => {
  const server = await startTestServer({
    script: [replyText('Here I am.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const session = await server.startSession()
  await session.send('hello')
  // The session row stays locked: each attempt of the wake-up gives up after 2 s.
  await server.sql.begin(async tx => {
    await tx`select from heads where session_key = ${session.key} for update`
    const worker = await startWorkerProcess(server)
    await expect.poll(worker.errorOutput, { timeout: 60_000 }).toContain('A wake-up failed')
  })
  const [job] = await server.sql<{ attempts: number; soon: boolean }[]>`
    select attempts, run_at < clock_timestamp() + interval '5 seconds' as soon from graphile_worker.jobs
    where task_identifier = 'wake' and attempts < max_attempts`
  expect(job).toMatchObject({ soon: true })
  // If the sweep of the minute has just run, it has replaced the job by one without attempts.
  expect(job?.attempts).toBeLessThanOrEqual(1)
  expect(
    await session.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
  ).toMatchObject({
    outcome: 'done'
  })
}, 180_000)
