import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { expect, test } from 'vitest'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { acme, asAgent, tokenOfAda } from './acme.ts'
import { signed } from './signed.ts'

const { openCall, readCall, cancelCall } = externalOperations
const approval = { kind: 'approval', title: 'Refund', input: { cents: 1 } }
const adminKey = { authorization: 'Bearer the-admin-key-of-every-test' }

const open = (token: string | undefined, body: object = approval, headers: Record<string, string> = {}) =>
  asAgent(openCall, token, { body, headers })
const tokenOf = ({ body }: { body: Record<string, unknown> }) =>
  new URL(String(body.callUrl)).searchParams.get('token') ?? ''

test('an agent with a signing secret must sign its request, and the token of its call is enough afterwards', async () => {
  const { ctx, token } = await acme()
  const { secret } = await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 60 })
  const text = JSON.stringify(approval)
  expect(await open(token)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  const opened = await asAgent(openCall, undefined, { raw: text, headers: signed(secret, text, 'ask-1') })
  expect(opened.status).toBe(201)
  // The ID of the signed request is its idempotency key.
  const again = await asAgent(openCall, undefined, { raw: text, headers: signed(secret, text, 'ask-1') })
  expect(again).toMatchObject({ status: 200, body: opened.body })
  const params = { toolCallId: String(opened.body.toolCallId) }
  expect((await asAgent(readCall, tokenOf(opened), { params })).status).toBe(200)
})

test('an API key opens, reads and cancels calls, and a key of a viewer does not', async () => {
  const { token } = await acme()
  const opened = await open(undefined, approval, adminKey)
  expect(opened.status).toBe(201)
  const params = { toolCallId: String(opened.body.toolCallId) }
  expect((await asAgent(readCall, undefined, { params, headers: adminKey })).status).toBe(200)
  expect((await asAgent(cancelCall, undefined, { params, headers: adminKey })).status).toBe(200)
  expect((await asAgent(readCall, token, { params: { toolCallId: 'call_nothing' } })).status).toBe(401)
  expect(
    (await asAgent(readCall, undefined, { params: { toolCallId: 'call_nothing' }, headers: adminKey })).status
  ).toBe(404)
})

test('a session has at most 100 open calls of its agent, and opens 60 a minute by default', async () => {
  const { token, sql } = await acme({}, undefined, { WAYSTATION_LIMIT_OPEN_CALL: '101' })
  const first = await open(token)
  // 99 more calls, as if they had been opened in earlier minutes.
  await sql`
    insert into calls (session_key, tool_call_id, workspace_id, generation, tool_name, kind, "where", message_id, turn_id,
      input, since, deadline, on_deadline)
    select session_key, tool_call_id || '_' || n, workspace_id, generation, tool_name, kind, "where", message_id, turn_id,
      input, since, deadline, on_deadline
    from calls, generate_series(1, 99) n where tool_call_id = ${String(first.body.toolCallId)}`
  expect(await open(token)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  const params = { toolCallId: String(first.body.toolCallId) }
  await asAgent(cancelCall, tokenOf(first), { params })
  expect((await open(token)).status).toBe(201)
})

test('the limit of a minute answers 429, and counts each session by itself', async () => {
  const { token } = await acme({}, undefined, { WAYSTATION_LIMIT_OPEN_CALL: '2' })
  expect([(await open(token)).status, (await open(token)).status]).toEqual([201, 201])
  expect(await open(token)).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) }
  })
})

test('an answer policy restricts who can answer, and an end user cannot edit what the agent did not permit', async () => {
  const { token } = await acme()
  const restricted = await open(token, { ...approval, answerPolicy: { roles: ['owner'] } })
  const ada = await tokenOfAda()
  const answer = (toolCallId: unknown, body: object, secret?: string) =>
    callEndpoint(
      callOperations.answer,
      { params: { sessionId: 'order-1', toolCallId: String(toolCallId) }, body },
      secret
    )
  expect(await answer(restricted.body.toolCallId, { approved: true }, ada)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' }
  })
  const plain = await open(token)
  expect(await answer(plain.body.toolCallId, { approved: true, input: { cents: 2 } })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT' }
  })
  expect(await answer(plain.body.toolCallId, { approved: true, remember: 'session' })).toMatchObject({
    status: 403
  })
  expect((await answer(plain.body.toolCallId, { approved: true })).status).toBe(200)
})

test('an answer that cannot be delivered is retried for 24 hours, with one ID, and is then a failed delivery', async () => {
  const { token, advanceTime, externalSystem, session, sql } = await acme({}, response =>
    response.writeHead(503).end()
  )
  const opened = await open(token)
  await asAgent(cancelCall, tokenOf(opened), { params: { toolCallId: String(opened.body.toolCallId) } })
  const attempted = (isWanted: (delivery: Delivery) => boolean) =>
    session.waitForEvent(event => event.type === 'delivery' && isWanted(event.delivery))
  for (const tries of [1, 2, 3]) {
    await attempted(({ attempts, nextAt }) => attempts.length === tries && nextAt !== undefined)
    if (tries === 3) await sql`update deliveries set created_at = created_at - interval '24 hours'`
    await advanceTime(600)
  }
  await attempted(({ attempts, state }) => attempts.length === 4 && state === 'failed')
  const ids = externalSystem.requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(ids).size).toBe(1)
})

test('the calls of a deleted session are gone, also for a read that waits', async () => {
  const { ctx, token } = await acme()
  const opened = await open(token)
  const params = { toolCallId: String(opened.body.toolCallId) }
  const reading = asAgent(readCall, tokenOf(opened), { params, query: { wait: '50' } })
  await deleteSession(ctx, { sessionId: 'order-1' })
  expect((await reading).status).toBe(404)
  expect((await asAgent(readCall, tokenOf(opened), { params })).status).toBe(404)
})
