import { expect, test } from 'vitest'
import { signatureHeaders } from '#lib/deliveries/sign.ts'
import { settleOverdueCalls } from '#lib/engine/calls/deadline.ts'
import { listSubAgents } from '#lib/features/delegation/list-sub-agents.ts'
import { reconcileSubAgents } from '#lib/features/delegation/reconcile-sub-agents.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { eventually, post, teamWithAcme } from './external-team.ts'

const { callback, finish } = externalOperations
const spawn = (task: string, more: object = {}) =>
  replyCalls({ name: 'spawn-agent', input: { task, agentId: 'acme', ...more } })

/** Returns a session whose agent has given a task to Acme, the call, and the task as Acme received it. */
async function delegated(
  script = [spawn('Find two crates.', { context: 'In Hull.' }), replyText('Both are there.')],
  options: Parameters<typeof teamWithAcme>[1] = {}
) {
  const team = await teamWithAcme(
    { script },
    { tools: [{ name: 'spawn-agent', agents: ['acme'] }], ...options }
  )
  await team.session.send('Where are the crates?')
  const call = await team.session.waitForCall('spawn-agent')
  const task = await team.received(0)
  const done = (output: unknown, headers = {}) =>
    post(finish, task.finishUrl ?? '', JSON.stringify({ output }), headers)
  const child = () => getSession(team.ctx, { sessionId: task.sessionId })
  return { ...team, call, task, done, child }
}

test('001-16: an external agent works as a sub-agent: it receives the task, replies without ending it, and finishes', async () => {
  const { session, call, task, done, child, ctx, sql, model } = await delegated()
  expect(call).toMatchObject({ kind: 'agent', render: { agentId: 'acme', name: 'Acme' } })
  expect(task).toMatchObject({
    agentId: 'acme',
    task: { parentSessionId: session.id, toolCallId: call.toolCallId, deadline: call.deadline },
    message: { type: 'user', text: 'Find two crates.\n\n<context>\nIn Hull.\n</context>' }
  })
  expect(await post(callback, task.callbackUrl, 'One is here.')).toMatchObject({ status: 200 })
  await reconcileSubAgents(ctx)
  const [atWork] = (await listSubAgents(ctx, { sessionId: session.id })).subAgents
  expect(atWork).toMatchObject({ sessionId: task.sessionId, agentName: 'Acme', atWork: true })
  expect((await session.get()).session.status).toBe('parked')

  const finished = await done('Both are in Hull.', { 'idempotency-key': 'f1' })
  expect(finished).toMatchObject({ status: 200, body: { ok: true } })
  expect(await done('Both are in Hull.', { 'idempotency-key': 'f1' })).toEqual(finished)
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'answered',
    answeredBy: 'Acme',
    output: { sessionId: task.sessionId, agentId: 'acme', result: 'Both are in Hull.' }
  })
  await session.waitForText('Both are there.')
  expect(JSON.stringify(model.requests[1]?.body)).toContain('Both are in Hull.')
  const { messages, session: childSession } = await child()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(childSession.parent).toMatchObject({ id: session.id, toolCallId: call.toolCallId })
  const [ended] = (await listSubAgents(ctx, { sessionId: session.id })).subAgents
  expect(ended).toMatchObject({ atWork: false })
  await expectValidSessions(sql)
})

test('001-16: JSON is a result as it is, and a second end of a task or one of another session is a conflict', async () => {
  const { session, call, task, done, ctx } = await delegated()
  for (const [body, code] of [
    ['nonsense', 'MALFORMED_JSON'],
    ['{}', 'INVALID_INPUT'],
    ['{"output": " "}', 'EMPTY_MESSAGE'],
    ['{"output": null}', 'EMPTY_MESSAGE']
  ] as const)
    expect((await post(finish, task.finishUrl ?? '', body)).body.code).toBe(code)
  expect((await session.get()).session.status).toBe('parked')
  expect(await done({ crates: [1, 2] })).toMatchObject({ status: 200 })
  const settled = await session.waitForSettled(call)
  expect(settled.output).toMatchObject({ result: { crates: [1, 2] } })
  expect(await done('More.')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  const forged = (task.finishUrl ?? '').replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
  expect(await post(finish, forged, '{"output": 1}')).toMatchObject({ status: 401 })
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })
  const { callbackUrl } = await callbackLinkOf(ctx, { sessionId: 'order-1' })
  const noTask = await post(finish, callbackUrl.replace('/messages?', '/finish?'), '{"output": 1}')
  expect(noTask).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

test('000-23: if the agent has a signing secret, the end of a task needs a signature or a key', async () => {
  const { session, call, task, done, ctx } = await delegated()
  const { secret } = await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 0 })
  expect(await done('Unsigned.')).toMatchObject({ status: 401 })
  const text = JSON.stringify({ output: 'Signed.' })
  const wrong = { ...signatureHeaders([secret], 'msg_1', `${text} `) }
  expect(await post(finish, task.finishUrl ?? '', text, wrong)).toMatchObject({ status: 401 })
  const right = { ...signatureHeaders([secret], 'msg_2', text) }
  expect(await post(finish, task.finishUrl ?? '', text, right)).toMatchObject({ status: 200 })
  expect((await session.waitForSettled(call)).output).toMatchObject({ result: 'Signed.' })
})

test('001-16: a task that the external agent does not receive fails its call, with a result for the model', async () => {
  const { session, call, model } = await delegated(undefined, {
    answer: response => void response.writeHead(503).end('<html>broken</html>')
  })
  const settled = await session.waitForSettled(call)
  expect(settled).toMatchObject({ state: 'failed', errorText: expect.stringContaining('503') })
  await eventually(() => expect(model.requests).toHaveLength(2))
  const prompt = JSON.stringify(model.requests[1]?.body)
  expect(prompt).toContain('503')
  expect(prompt).not.toContain('broken')
})

test('001-16: the deadline of the call ends the task of an external agent, and a later end is a conflict', async () => {
  const { session, call, done, ctx, advanceTime } = await delegated()
  await advanceTime(31 * 86_400)
  expect(await done('Too late.')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  await settleOverdueCalls(ctx)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired', via: 'deadline' })
})

test('001-16: cancelling the parent withdraws a task that waits to be sent again, and ends it', async () => {
  const { session, call, task, done, ctx, child } = await delegated(undefined, {
    retries: 5,
    answer: response => void response.writeHead(503, { 'retry-after': '600' }).end()
  })
  await eventually(async () =>
    expect((await child()).messages[0]?.parts.at(-1)).toMatchObject({ data: { nextAt: expect.anything() } })
  )
  await session.cancel(true)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'cancelled' })
  await eventually(async () =>
    expect((await child()).messages[0]?.parts.at(-1)).toMatchObject({ data: { state: 'failed' } })
  )
  expect(await done('Not needed.')).toMatchObject({ status: 409 })
  const [sub] = (await listSubAgents(ctx, { sessionId: session.id })).subAgents
  expect(sub).toMatchObject({ sessionId: task.sessionId, atWork: false })
})

test('001-16: cancelling the parent asks an external agent that received the task to stop', async () => {
  const { session, call, task, received } = await delegated()
  await session.cancel(true)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'cancelled' })
  expect(await received(1)).toMatchObject({
    sessionId: task.sessionId,
    message: { type: 'cancel', messageId: task.message.id }
  })
})
