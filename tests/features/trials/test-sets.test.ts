import type { ListedTestRun, TestRun, TestSet } from '@waystation/protocol/agent/test-set.ts'
import type { Variant } from '@waystation/protocol/session/comparison.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createWorkspace } from '#lib/auth/workspaces/create-workspace.ts'
import type { Operation } from '#lib/http/operation.ts'
import { trialOperations } from '#lib/http/operations/trials.ts'
import type { Role } from '#lib/kernel/ctx.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
const agentId = 'helper'
const { listSets, createSet, saveSet, addMessage, deleteSet, runSet, listRuns, getRun } = trialOperations

const call = async <T>(
  operation: Operation,
  params: Record<string, string>,
  body?: object,
  secret?: string
) =>
  (await callEndpoint(operation, { params: { agentId, ...params }, ...(body && { body }) }, secret)) as {
    status: number
    body: T & { code?: string }
  }
const newSet = async (messages: string[] = []) =>
  (await call<TestSet>(createSet, {}, { name: 'Basics', messages })).body
const run = (testSetId: string, variants: Variant[], more: object = {}) =>
  call<ListedTestRun>(runSet, { testSetId }, { with: variants, ...more })
const runOf = async (testSetId: string, runId: string) =>
  (await call<TestRun>(getRun, { testSetId, runId })).body

/** Answers "weather" by the instructions of the revision, and everything else always alike. */
const byInstructions = ({ body }: { body: { messages: { role: string; content: unknown }[] } }) => {
  const text = JSON.stringify(body.messages)
  return replyText(
    text.includes('weather') ? (text.includes('Be brief') ? 'Rain.' : 'It rains today.') : 'Hello.'
  )
}

async function withRevisions() {
  const server = await startTestServer({ script: byInstructions as never })
  await helper.create({ chat: { instructions: 'Be kind.' } })
  await helper.put({ chat: { instructions: 'Be brief.' } })
  return server
}

/** Waits until no result of a run is open, and returns the run. */
async function finished(testSetId: string, runId: string): Promise<TestRun> {
  await expect
    .poll(
      async () =>
        (await runOf(testSetId, runId)).rows.flatMap(row => row.results.map(result => result?.state)),
      {
        timeout: 30_000
      }
    )
    .not.toContain('working')
  return runOf(testSetId, runId)
}

test('a run shows which messages a revision answers otherwise, and stays readable', async () => {
  const { ctx } = await withRevisions()
  const set = await newSet(['hello', 'weather'])
  const { status, body } = await run(set.id, [{ revision: 1 }, { revision: 2 }])
  expect(status).toBe(201)
  expect(body).toMatchObject({ revisions: [1, 2], with: [{ revision: 1 }, { revision: 2 }] })
  const { rows } = await finished(set.id, body.id)
  expect(rows.map(({ text, results }) => [text, ...results.map(result => result?.text)])).toEqual([
    ['hello', 'Hello.', 'Hello.'],
    ['weather', 'It rains today.', 'Rain.']
  ])
  expect(rows[1]?.results[0]).toMatchObject({ state: 'done', revision: 1, inputTokens: 20, outputTokens: 10 })
  expect((await call<{ runs: ListedTestRun[] }>(listRuns, { testSetId: set.id })).body.runs).toEqual([body])
  const { sessions } = await listSessions(ctx, { limit: 50 })
  expect(sessions.map(({ id }) => id)).toEqual(['welcome'])
  expect((await listPendingCalls(ctx, {})).calls).toEqual([])
})

test('a run starts completely or not at all, and the same key starts it once', async () => {
  const { sql } = await withRevisions()
  const set = await newSet(['hello', 'weather'])
  const trials = async () => (await sql`select from sessions where trial`).length
  expect(await run(set.id, [{ revision: 1 }, { revision: 9 }])).toMatchObject({ status: 404 })
  expect(await run(set.id, [{ revision: 'draft' }])).toMatchObject({ status: 404 })
  expect(await trials()).toBe(0)
  const both = await Promise.all([1, 2].map(() => run(set.id, [{ revision: 1 }], { key: 'a' })))
  expect(both[0]?.body).toEqual(both[1]?.body)
  expect(await trials()).toBe(2)
  expect(await run(set.id, [{ revision: 2 }], { key: 'a' })).toMatchObject({
    status: 422,
    body: { code: 'KEY_REUSED' }
  })
  expect(await run((await newSet()).id, [{ revision: 1 }])).toMatchObject({ status: 422 })
})

test('messages are added once, and a set is renamed, edited and deleted with its runs', async () => {
  const { sql } = await withRevisions()
  const set = await newSet()
  const add = (text: string) => call<TestSet>(addMessage, { testSetId: set.id }, { text })
  await Promise.all(['hello', 'weather', 'hello'].map(add))
  expect((await add('bye')).body.messages.toSorted()).toEqual(['bye', 'hello', 'weather'])
  const many = Array.from({ length: 50 }, (_, n) => `message ${n}`)
  const saved = await call<TestSet>(saveSet, { testSetId: set.id }, { name: 'Full', messages: many })
  expect(saved.body).toMatchObject({ name: 'Full', messages: many })
  expect(await add('one more')).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
  const tooMany = { name: 'Full', messages: [...many, 'one more'] }
  expect(await call(saveSet, { testSetId: set.id }, tooMany)).toMatchObject({ status: 422 })
  await call(saveSet, { testSetId: set.id }, { name: 'Small', messages: ['hello'] })
  await run(set.id, [{ revision: 1 }])
  expect(await call(deleteSet, { testSetId: set.id })).toMatchObject({ status: 200 })
  expect((await call<{ testSets: TestSet[] }>(listSets, {})).body.testSets).toEqual([])
  expect(await sql`select from test_runs`).toHaveLength(0)
  expect(await add('late')).toMatchObject({ status: 404 })
})

test('a result is null after its trial was deleted', async () => {
  const { sql } = await withRevisions()
  const set = await newSet(['hello'])
  const { body } = await run(set.id, [{ revision: 1 }, { revision: 2 }])
  await finished(set.id, body.id)
  await sql`update sessions set deleted_at = now() where key = (select min(key) from sessions where trial)`
  expect((await runOf(set.id, body.id)).rows[0]?.results).toEqual([
    null,
    expect.objectContaining({ text: 'Hello.' })
  ])
})

test('viewers and operators read test sets, but cannot change or run them', async () => {
  const { ctx } = await withRevisions()
  const set = await newSet(['hello'])
  for (const role of ['viewer', 'operator'] satisfies Role[]) {
    const { secret } = await createKey(ctx, { name: role, role })
    expect(await call(listSets, {}, undefined, secret)).toMatchObject({ status: 200 })
    const inSet = { testSetId: set.id }
    expect(await call(runSet, inSet, { with: [{ revision: 1 }] }, secret)).toMatchObject({ status: 403 })
    expect(await call(addMessage, inSet, { text: 'x' }, secret)).toMatchObject({ status: 403 })
    expect(await call(deleteSet, inSet, undefined, secret)).toMatchObject({ status: 403 })
  }
})

test('test sets belong to their workspace and are deleted with it', async () => {
  const { ctx, sql } = await withRevisions()
  const set = await newSet(['hello'])
  await createWorkspace(ctx, { name: 'Other' })
  const [other] = await sql<{ id: string }[]>`select id from workspaces where name = 'Other'`
  await sql`update test_sets set workspace_id = ${other?.id ?? ''}`
  expect(await run(set.id, [{ revision: 1 }])).toMatchObject({ status: 404 })
  await sql`delete from workspaces where name = 'Other'`
  expect(await sql`select from test_sets`).toHaveLength(0)
})
