import type { ListedTestRun, TestRun, TestSet } from '@waystation/protocol/agent/test-set.ts'
import { expect, test } from 'vitest'
import type { Operation } from '#lib/http/operation.ts'
import { trialOperations } from '#lib/http/operations/trials.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

const agentId = 'helper'
const { createSet, runSet, getRun } = trialOperations

const call = async <T>(operation: Operation, params: Record<string, string>, body?: object) =>
  (await callEndpoint(operation, { params: { agentId, ...params }, ...(body && { body }) })).body as T

test('a run of a test set that a kill interrupts is finished by the next worker, with each message once', async () => {
  const isKilled = { now: false }
  const server = await startTestServer({
    script: () => (isKilled.now ? replyText('Once there was a station.') : replyThenHold('Once upon')),
    settings: { WAYSTATION_ROLE: 'web' }
  })
  await agentAt(agentId).create({ chat: { instructions: 'Be kind.' } })
  const worker = await startWorkerProcess(server)
  const texts = ['one', 'two', 'three']
  const { id: testSetId } = await call<TestSet>(createSet, {}, { name: 'Basics', messages: texts })
  const started = await call<ListedTestRun>(runSet, { testSetId }, { with: [{ revision: 1 }] })
  const results = async () => {
    const { rows } = await call<TestRun>(getRun, { testSetId, runId: started.id })
    return rows.map(({ text, results: [result] }) => ({ message: text, ...result }))
  }
  await expect.poll(() => server.model.requests.length, { timeout: 60_000 }).toBeGreaterThan(0)
  expect((await results()).map(({ state }) => state)).toContain('working')
  isKilled.now = true
  await Promise.all([worker.kill(), startWorkerProcess(server)])
  await expect
    .poll(async () => (await results()).map(({ state }) => state), { timeout: 90_000 })
    .toEqual(['done', 'done', 'done'])
  expect((await results()).map(({ message, text }) => [message, text])).toEqual(
    texts.map(text => [text, 'Once there was a station.'])
  )
  expect(await server.sql`select from sessions where trial`).toHaveLength(3)
}, 240_000)
