import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const promptOf = (server: TestServer, index: number) =>
  server.model.requests[index]?.body.messages.map(({ role, content }) => ({ role, content })) ?? []

test('a process with a worker claims the session in the transaction that accepts the message, and needs no job', async () => {
  const server = await startTestServer({ script: [replyThenHold('Working.')] })
  const session = await server.startSession(await server.saveAgent({}))
  await session.send('hello')
  const [sessionRow] = await server.sql`
    select owner is not null as owned, has_work, epoch from heads where session_key = ${session.key}`
  expect(sessionRow).toEqual({ owned: true, hasWork: 1, epoch: 1 })
  expect(
    await server.sql`select key from graphile_worker._private_jobs where key = ${`wake:${session.key}`}`
  ).toEqual([])
  const ended = session.waitForEnd()
  server.model.release()
  await ended
})

test('a process without a worker queues a job for the message', async () => {
  const server = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await server.startSession()
  await session.send('hello')
  const [sessionRow] = await server.sql`select owner, has_work from heads where session_key = ${session.key}`
  expect(sessionRow).toEqual({ owner: null, hasWork: 1 })
  expect(
    await server.sql`select key from graphile_worker.jobs where key = ${`wake:${session.key}`}`
  ).toHaveLength(1)
})

test('a session whose turns alternate between two processes shows its model the full conversation in each turn', async () => {
  const server = await startTestServer({ script: (_, index) => replyText(`Answer ${index}.`) })
  const { ctx } = await server.startSecondServer()
  const original = await server.startSession(await server.saveAgent({}))
  const reopened = await server.reopenSession(original.id, ctx)
  for (let i = 0; i < 6; i++) {
    const [sender, reader] = i % 2 === 0 ? [original, reopened] : [reopened, original]
    const { seq } = await sender.runTurn(`Question ${i}.`)
    await reader.waitForEvent(event => event.seq >= seq)
  }
  for (let i = 1; i < 6; i++) {
    const before = promptOf(server, i - 1)
    expect(promptOf(server, i).slice(0, before.length)).toEqual(before)
    expect(promptOf(server, i)).toHaveLength(before.length + 2)
  }
})

test('a new generation of a session shows its model nothing of the previous generation', async () => {
  const server = await startTestServer({ script: (_, index) => replyText(`Answer ${index}.`) })
  const agentId = await server.saveAgent({})
  const first = await server.startSession(agentId)
  await first.runTurn('One.')
  await first.runTurn('Two.')
  await deleteSession(server.ctx, { sessionId: first.id })
  // A reader of the previous generation would make the new reader start with a snapshot, which replaces the events.
  await first.streamEnd
  await createSession(server.ctx, { agentId, sessionId: first.id })
  const second = await server.reopenSession(first.id)
  await second.runTurn('Three.')
  const promptText = JSON.stringify(promptOf(server, 2))
  expect(promptText).toContain('Three.')
  expect(promptText).not.toMatch(/One\.|Two\.|Answer/)
})
