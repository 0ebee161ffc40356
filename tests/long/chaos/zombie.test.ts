import { expect, test } from 'vitest'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { type Reply, replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

const workerIds = async (sql: Awaited<ReturnType<typeof startTestServer>>['sql']) =>
  (await sql<{ id: string }[]>`select id from workers`).map(row => row.id)

test('a worker that was suspended too long with no other worker running returns as a new worker and repeats its step', async () => {
  const server = await startTestServer({
    script: [replyThenHold('Before the'), replyText('After the sleep.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const zombie = await startWorkerProcess(server)
  const session = await server.startSession()
  await session.send('tell me')
  await session.waitForText('Before the')
  const before = await workerIds(server.sql)
  zombie.stop()
  await expect
    .poll(
      async () =>
        (await server.sql`select from workers where heartbeat_at < clock_timestamp() - interval '4 seconds'`)
          .length,
      { timeout: 60_000 }
    )
    .toBe(1)
  zombie.resume()
  expect(
    await session.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
  ).toMatchObject({
    outcome: 'done'
  })
  const after = await workerIds(server.sql)
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  expect(await session.agentTexts()).toEqual(['After the sleep.'])
  expect(endsOf(await session.log())).toHaveLength(1)
  await expectValidSessions(server.sql)
}, 180_000)

test('a worker that was suspended too long writes nothing when it resumes, and returns as a new worker', async () => {
  const externalSystem = await startExternalSystem(() => undefined)
  const fetchCall = replyCalls({ name: 'web-fetch', input: { url: `${externalSystem.url}/held` } })
  const script = new Map<string, Reply[]>([
    ['stream', [replyThenHold('The zombie says'), replyText('The living one says it.')]],
    ['tool', [fetchCall, replyText('Outcome unknown, then.')]]
  ])
  const server = await startTestServer({
    script: request => {
      const key = JSON.stringify(request.body.messages).includes('stream') ? 'stream' : 'tool'
      return script.get(key)?.shift() ?? replyText('Hello.')
    },
    settings: { WAYSTATION_ROLE: 'web', WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const zombie = await startWorkerProcess(server)
  const streaming = await server.startSession('test')
  const working = await server.startSession('test')
  await streaming.send('stream')
  await streaming.waitForText('zombie says')
  await working.send('tool')
  await externalSystem.request(0)
  const before = await workerIds(server.sql)
  const successor = await startWorkerProcess(server)

  zombie.stop()
  for (const session of [streaming, working])
    await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  const logs = await Promise.all([streaming.log(), working.log()])

  // It resumes with half a response and half a fetch, and both can now complete.
  server.model.release()
  zombie.resume()
  await expect
    .poll(async () => (await workerIds(server.sql)).filter(id => !before.includes(id)).length, {
      timeout: 60_000
    })
    .toBe(2)
  expect(await Promise.all([streaming.log(), working.log()])).toEqual(logs)
  expect(await streaming.agentTexts()).toEqual(['The living one says it.'])
  expect(endsOf(logs.flat())).toHaveLength(2)
  expect(externalSystem.requests).toHaveLength(1)

  await successor.kill()
  expect(await streaming.runTurn('are you there?')).toMatchObject({ outcome: 'done' })
  await expectValidSessions(server.sql)
}, 180_000)
