import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { createApiClient } from '#tests/support/servers/api-client.ts'
import { databaseAtBaseline } from '#tests/support/servers/database-at-baseline.ts'
import { databaseOf01 } from '#tests/support/servers/database-of-01.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer, type TestServer, testEnv } from '#tests/support/servers/test-server.ts'

/** Runs the first steps of a process of this version. */
const upgrade = async (url: string) => {
  await migrate(url)
  await seed(url, testEnv(url, {}))
}

/** Starts this version on an existing database, with its API and a page for a tool to fetch. */
async function serve(database: string, settings: Record<string, string> = {}) {
  const externalSystem = await startExternalSystem(response =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Two crates of lamp oil.')
  )
  const server = await startTestServer({
    database,
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host, ...settings }
  })
  const client = createApiClient({ url: await serveApi(), apiKey: server.env.apiKey ?? '' })
  /** Answers the pending call of a session and returns the next text of the agent. */
  const answerCall = async (sessionId: string, answer: object) => {
    const [call] = (await client.get(`/sessions/${sessionId}`)).session?.waitingFor ?? []
    await client.post(`/sessions/${sessionId}/calls/${call?.toolCallId}/answer`, answer)
    const { messages = [] } = await client.until(sessionId, 'idle')
    return messages
      .at(-1)
      ?.parts.flatMap(({ text = [] }) => text)
      .join(' ')
  }
  return { server, client, externalSystem, answer: answerCall }
}

const expectIdleAndSound = async ({ sql }: TestServer) => {
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  await expectValidSessions(sql)
}

/** Answers the calls of all four sessions and expects each to continue. */
async function answerAll({ answer, externalSystem }: Awaited<ReturnType<typeof serve>>) {
  expect(await answer('asked', { output: { answer: 'tea' } })).toContain('“tea”')
  expect(await answer('clock', { output: { timeZone: 'Europe/Paris', locale: 'fr-FR' } })).toContain('Paris')
  const page = { approved: true, input: { url: `${externalSystem.url}/page` } }
  expect(await answer('approval', page)).toContain('Two crates of lamp oil.')
  expect(externalSystem.requests).toHaveLength(1)
  expect(await answer('deferred', { output: { answer: 'blue' } })).toMatch(/arrived.*“blue”/)
}

test('a database of version 0.1 is migrated, and its open calls are answered and continue (docs/concepts/engine.md#processes)', async () => {
  const url = await databaseOf01()
  await upgrade(url)
  const served = await serve(url)
  const { client, server } = served
  for (const id of ['asked', 'approval', 'clock', 'deferred'])
    expect((await client.get(`/sessions/${id}`)).session, id).toMatchObject({ status: 'parked' })
  await answerAll(served)
  await expectIdleAndSound(server)
})

test('a database at the baseline gets all later migrations, and its open calls are answered and continue', async () => {
  const url = await databaseAtBaseline()
  await upgrade(url)
  const served = await serve(url)
  await answerAll(served)
  await expectIdleAndSound(served.server)
})

test('a worker continues while a newer process migrates its database', async () => {
  const url = await databaseAtBaseline()
  const served = await serve(url)
  expect(await served.answer('asked', { output: { answer: 'tea' } })).toContain('“tea”')
  await upgrade(url)
  expect(await served.answer('deferred', { output: { answer: 'blue' } })).toMatch(/arrived.*“blue”/)
  await expectIdleAndSound(served.server)
})
