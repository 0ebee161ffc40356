import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { holds, says } from '#tests/support/fakes/openai-replies.ts'
import { type TestWorld, testWorld } from '#tests/support/servers/test-server.ts'

const promptOf = (world: TestWorld, index: number) =>
  world.model.requests[index]?.body.messages.map(({ role, content }) => ({ role, content })) ?? []

test('a process with a worker claims the session in the transaction that accepts the message, and needs no job', async () => {
  const world = await testWorld({ script: [holds('Working.')] })
  const session = await world.session(await world.agent({}))
  await session.send('hello')
  const [sessionRow] = await world.sql`
    select owner is not null as owned, has_work, epoch from heads where session_key = ${session.key}`
  expect(sessionRow).toEqual({ owned: true, hasWork: 1, epoch: 1 })
  expect(
    await world.sql`select key from graphile_worker._private_jobs where key = ${`wake:${session.key}`}`
  ).toEqual([])
  const ended = session.ends()
  world.model.release()
  await ended
})

test('a process without a worker queues a job for the message', async () => {
  const world = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  const [sessionRow] = await world.sql`select owner, has_work from heads where session_key = ${session.key}`
  expect(sessionRow).toEqual({ owner: null, hasWork: 1 })
  expect(
    await world.sql`select key from graphile_worker.jobs where key = ${`wake:${session.key}`}`
  ).toHaveLength(1)
})

test('a session whose turns alternate between two processes shows its model the full conversation in each turn', async () => {
  const world = await testWorld({ script: (_, index) => says(`Answer ${index}.`) })
  const { ctx } = await world.second()
  const original = await world.session(await world.agent({}))
  const reopened = await world.reopen(original.id, ctx)
  for (let i = 0; i < 6; i++) {
    const [sender, reader] = i % 2 === 0 ? [original, reopened] : [reopened, original]
    const { seq } = await sender.says(`Question ${i}.`)
    await reader.sees(event => event.seq >= seq)
  }
  for (let i = 1; i < 6; i++) {
    const before = promptOf(world, i - 1)
    expect(promptOf(world, i).slice(0, before.length)).toEqual(before)
    expect(promptOf(world, i)).toHaveLength(before.length + 2)
  }
})

test('a new generation of a session shows its model nothing of the previous generation', async () => {
  const world = await testWorld({ script: (_, index) => says(`Answer ${index}.`) })
  const agentId = await world.agent({})
  const first = await world.session(agentId)
  await first.says('One.')
  await first.says('Two.')
  await deleteSession(world.ctx, { sessionId: first.id })
  await createSession(world.ctx, { agentId, sessionId: first.id })
  const second = await world.reopen(first.id)
  await second.says('Three.')
  const promptText = JSON.stringify(promptOf(world, 2))
  expect(promptText).toContain('Three.')
  expect(promptText).not.toMatch(/One\.|Two\.|Answer/)
})
