import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

test('if a worker dies during a delivery, it is retried as soon as the attempt must be over, not at the next sweep', async () => {
  const externalSystem = await startExternalSystem((response, _, index) =>
    index === 0 ? undefined : void response.end('ok')
  )
  const server = await startTestServer({
    settings: { WAYSTATION_ROLE: 'web', WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  const agent = AgentConfig.parse({
    agentId: 'outside',
    displayName: 'Outside',
    type: 'external',
    external: { inputUrl: externalSystem.url }
  })
  await server.ctx.sql`
    insert into agents (workspace_id, id, config) values ('default', 'outside', ${agent}::jsonb)`
  await createSession(server.ctx, { agentId: 'outside', sessionId: 'order-7' })
  const session = await server.reopenSession('order-7')
  const first = await startWorkerProcess(server)
  await session.send('hello')
  await externalSystem.request(0)
  await Promise.all([first.kill(), startWorkerProcess(server)])
  // The job is released when the dead worker is detected. It then finds the attempt of that worker.
  const pendingJobs = () => server.sql<{ id: string }[]>`
    select j.id from graphile_worker.jobs j join deliveries d on d.claimed_until between j.run_at - interval '1 second'
      and j.run_at + interval '1 second' where j.task_identifier = 'deliver' and j.locked_at is null`
  await expect.poll(async () => (await pendingJobs()).length, { timeout: 60_000 }).toBe(1)
  await server.advanceTime(30)
  const retry = await externalSystem.request(1)
  expect(retry.headers['idempotency-key']).toBe(externalSystem.requests[0]?.headers['idempotency-key'])
  await session.waitForEvent(event => event.type === 'delivery' && event.delivery.state === 'delivered')
}, 180_000)
