import { isToolPart } from '@waystation/protocol/session/message-parts.ts'
import { expect, test } from 'vitest'
import { claimHead, register, resign } from '#lib/engine/worker/lease.ts'
import { beginLiveStep } from '#tests/support/begin-live-step.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { guide } from '#tests/support/servers/guide.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
/** A call of a missing tool. Its result starts the next step at once. */
const missingTool = { name: 'nothing', input: {} }
const chatWith = (
  instructions: string,
  tools: unknown[] = [{ name: 'ask-question' }, { name: 'client-info' }]
) => ({
  chat: { instructions, tools }
})
const question = { name: 'ask-question', input: { question: 'Tea?' } }
const toolsOf = (request: ModelRequest | undefined) =>
  ((request?.body.tools ?? []) as { function: { name: string } }[]).map(tool => tool.function.name)
const promptText = (request: ModelRequest | undefined) => JSON.stringify(request?.body)

/** Returns the revisions of the session’s turns, oldest first, and of the steps in its context. */
async function recorded({ sql }: TestServer, key: number) {
  const turns = await sql<{ revisions: number[] }[]>`
    select to_json(revisions) as revisions from turns where session_key = ${key} order by started_at`
  const steps = await sql<{ revision: number }[]>`
    select (payload -> 'revision')::int as revision from context where session_key = ${key} and kind = 'step' order by id`
  return { turns: turns.map(({ revisions }) => revisions), steps: steps.map(({ revision }) => revision) }
}

test('each turn records the revision it ran on, and so do its steps, its end and its message', async () => {
  const server = await startTestServer({ script: [replyText('One.'), replyText('Two.')] })
  await helper.create(chatWith('First.'))
  const session = await server.startSession('helper')
  expect(await session.runTurn('hello')).toMatchObject({ outcome: 'done', revisions: [1] })
  await helper.put(chatWith('Second.'))
  expect(await session.runTurn('again')).toMatchObject({ outcome: 'done', revisions: [2] })
  expect(await recorded(server, session.key)).toEqual({ turns: [[1], [2]], steps: [1, 2] })
  const { messages, session: view } = await session.get()
  expect(
    messages.filter(({ role }) => role === 'assistant').map(({ metadata }) => metadata?.revision)
  ).toEqual([1, 2])
  expect(view).toMatchObject({ agentRevision: 2, publishedRevision: 2 })
  expect(view).not.toHaveProperty('pinnedRevision')
})

test('a running turn uses a newly published revision from its next step, and not before', async () => {
  const server = await startTestServer({
    script: async (_, index) => {
      if (index === 1)
        await helper.put(chatWith('Second.', [{ name: 'ask-question' }, { name: 'web-fetch' }]))
      return index < 2 ? replyCalls(missingTool) : replyText('Done.')
    }
  })
  await helper.create(chatWith('First.'))
  const session = await server.startSession('helper')
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done', revisions: [1, 2] })
  const [, second, third] = server.model.requests
  expect(promptText(second)).toContain('First.')
  expect(toolsOf(second)).toEqual(['ask-question', 'client-info'])
  expect(promptText(third)).toContain('Second.')
  expect(toolsOf(third)).toEqual(['ask-question', 'web-fetch'])
  expect(await recorded(server, session.key)).toEqual({ turns: [[1, 2]], steps: [1, 1, 2] })
  const [, answer] = (await session.get()).messages
  expect(answer?.metadata?.revision).toBe(2)
  expect((await session.log()).filter(isMetadata)).toHaveLength(1)
  await expectValidSessions(server.sql)
})

const isMetadata = (event: { type: string; chunk?: { type: string } }) =>
  event.type === 'chunk' && event.chunk?.type === 'message-metadata'

test('the limits are those of the revision on which the step starts', async () => {
  const server = await startTestServer({
    script: async (_, index) => {
      if (index === 1) await helper.put({ chat: { ...chatWith('').chat, limits: { stepsPerTurn: 2 } } })
      return replyCalls(missingTool)
    }
  })
  await helper.create(chatWith('First.'))
  const session = await server.startSession('helper')
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'parked', revisions: [1] })
  expect(await session.waitForCall('continue')).toMatchObject({
    input: { reason: expect.stringMatching(/\b2\b/) }
  })
})

test('an open call keeps its schema, its approvers and, once approved, its tool', async () => {
  const externalServer = await startExternalSystem(response => response.end('the page'))
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'web-fetch', input: { url: externalServer.url } }, question),
      replyText('Done.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await helper.create(chatWith('First.', [{ name: 'web-fetch', approval: 'ask' }, { name: 'ask-question' }]))
  const session = await server.startSession('helper')
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'parked', revisions: [1] })
  const approval = await session.waitForCall('web-fetch')
  const call = await session.waitForCall('ask-question')
  await helper.put({ chat: { ...chatWith('Second.', []).chat, answer: { people: ['nobody'] } } })
  expect((await session.get()).session.waitingFor.map(({ toolName }) => toolName).sort()).toEqual([
    'ask-question',
    'web-fetch'
  ])
  await session.answer(approval, { approved: true })
  // The step runs, and the session parks again for the question.
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'parked' })
  const ended = session.waitForEnd()
  await session.answer(call, { output: { answer: 'tea' } })
  expect(await ended).toMatchObject({ outcome: 'done', revisions: [2] })
  expect(externalServer.requests).toHaveLength(1)
  expect(promptText(server.model.requests[1])).toContain('the page')
  const [, answer] = (await session.get()).messages
  expect(answer?.parts.filter(isToolPart).map(({ state }) => state)).toEqual([
    'output-available',
    'output-available'
  ])
  // One message spans three turns and shows the revision of its newest step, also to live readers.
  expect(answer?.metadata?.revision).toBe(2)
  expect(await recorded(server, session.key)).toEqual({ turns: [[1], [], [2]], steps: [1, 2] })
})

test('a turn that continues in its message on the same revision does not record it again', async () => {
  const server = await startTestServer({ script: [replyCalls(question), replyText('Done.')] })
  await helper.create(chatWith('First.'))
  const session = await server.startSession('helper')
  await session.runTurn('go')
  const ended = session.waitForEnd()
  await session.answer(await session.waitForCall('ask-question'), { output: { answer: 'tea' } })
  await ended
  expect((await session.log()).filter(isMetadata)).toEqual([])
  expect((await session.get()).messages.at(-1)?.metadata?.revision).toBe(1)
})

test('a failed step is retried on the revision that is published then', async () => {
  const server = await startTestServer({ script: [replyError(401), replyText('Better.')] })
  await helper.create(chatWith('First.'))
  const session = await server.startSession('helper')
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'failed', revisions: [1] })
  await helper.put(chatWith('Second.'))
  expect(await session.runTurn('again')).toMatchObject({ outcome: 'done', revisions: [2] })
  expect(promptText(server.model.requests[1])).toContain('Second.')
})

test('a step of a dead worker runs again on the revision that is published then, and both are recorded', async () => {
  const server = await startTestServer({
    script: [replyText('Whole.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  await helper.create(chatWith('First.'))
  const session = await server.startSession('helper')
  await session.send('go')
  const workerId = await register(server.sql)
  const lease = await claimHead(server.ctx, session.key, workerId, 1)
  expect(await beginLiveStep(server.ctx, lease!, guide)).toMatchObject({
    kind: 'step',
    running: { revision: 1 }
  })
  await helper.put(chatWith('Second.'))
  await resign(server.sql, workerId)
  const ended = session.waitForEnd()
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  expect(await ended).toMatchObject({ outcome: 'done', revisions: [1, 2] })
  expect(await recorded(server, session.key)).toEqual({ turns: [[1, 2]], steps: [2] })
  expect((await session.get()).messages.at(-1)?.metadata?.revision).toBe(2)
})

test('deleting the agent during a turn does not stop the turn', async () => {
  const server = await startTestServer({
    script: async (_, index) => {
      if (index === 0) await server.sql`delete from agents where id = 'helper'`
      return index === 0 ? replyCalls(missingTool) : replyText('Done.')
    }
  })
  await helper.create(chatWith('First.', [{ name: 'web-fetch' }]))
  const session = await server.startSession('helper')
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done', revisions: [1] })
})

test('while the revision stays the same, a turn uses its loaded configuration and reads nothing again', async () => {
  const server = await startTestServer({
    script: async (_, index) => {
      // Only manual changes in the database leave no revision.
      if (index === 0)
        await server.sql`
          update agents set config = jsonb_set(config, '{chat,instructions}', '"Unseen."') where id = 'helper'`
      return index === 0 ? replyCalls(missingTool) : replyText('Done.')
    }
  })
  await helper.create(chatWith('First.'))
  const session = await server.startSession('helper')
  await session.runTurn('go')
  expect(promptText(server.model.requests[1])).toContain('First.')
})
