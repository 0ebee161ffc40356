import { expect, test } from 'vitest'
import { callOperations } from '#lib/http/operations/calls.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { acme, asAgent, reply } from './acme.ts'

const { openCall, readCall, cancelCall } = externalOperations
const params = { sessionId: 'order-1' }

/** Opens a call as the agent. Returns the status, the body, and the token and ID of its `callUrl`. */
async function ask(token: string | undefined, body: object, headers: Record<string, string> = {}) {
  const opened = await asAgent(openCall, token, { body, headers })
  const { callUrl } = opened.body
  const url = typeof callUrl === 'string' ? new URL(callUrl) : undefined
  const toolCallId = String(opened.body.toolCallId)
  const callToken = url?.searchParams.get('token') ?? undefined
  const read = (wait = 0) =>
    asAgent(readCall, callToken, { params: { toolCallId }, query: { wait: String(wait) } })
  return { ...opened, toolCallId, callToken, url, read }
}

const answer = (toolCallId: string, body: object, secret?: string) =>
  callEndpoint(callOperations.answer, { params: { ...params, toolCallId }, body }, secret)

const refund = {
  kind: 'approval',
  title: 'Refund order 7',
  detail: 'The customer **returned** it.',
  input: { orderId: 'order-7', cents: 4200 },
  inputSchema: {
    type: 'object',
    properties: { orderId: { type: 'string' }, cents: { type: 'integer', maximum: 10_000 } },
    required: ['orderId', 'cents']
  }
}

test('an external agent asks for an approval, and its edited answer is sent to inputUrl', async () => {
  const { token, externalSystem } = await acme()
  const call = await ask(token, { ...refund, key: 'refund-7' })
  expect(call.status).toBe(201)
  expect(call.body).toEqual({
    toolCallId: expect.any(String),
    state: 'open',
    deadline: expect.any(String),
    callUrl: expect.stringContaining(`/external/sessions/order-1/calls/${call.toolCallId}?token=`)
  })
  expect((await call.read()).body).toMatchObject({ kind: 'approval', state: 'open' })

  const session = (await callEndpoint(sessionOperations.get, { params })).body
  expect(session).toMatchObject({ status: 'parked' })
  expect(session.calls).toMatchObject([
    {
      kind: 'approval',
      title: 'Refund order 7',
      input: refund.input,
      where: 'asker',
      render: { detail: refund.detail }
    }
  ])

  const edited = { approved: true, input: { orderId: 'order-7', cents: 2100 }, reason: 'Half.' }
  expect(await answer(call.toolCallId, edited)).toMatchObject({ status: 200, body: { state: 'approved' } })
  const settled = {
    toolCallId: call.toolCallId,
    kind: 'approval',
    state: 'approved',
    key: 'refund-7',
    approved: true,
    input: { orderId: 'order-7', cents: 2100 },
    reason: 'Half.',
    answeredBy: expect.any(String),
    via: 'api'
  }
  const delivered = await externalSystem.request(0)
  expect(JSON.parse(delivered.body)).toEqual({
    sessionId: 'order-1',
    agentId: 'acme',
    callbackUrl: expect.any(String),
    callsUrl: expect.any(String),
    message: { type: 'call.settled', ...settled, createdAt: expect.any(String) }
  })
  expect((await call.read()).body).toMatchObject(settled)
  expect((await callEndpoint(sessionOperations.get, { params })).body).toMatchObject({ status: 'idle' })
})

test('an approval can be denied with a reason, and the loser of two answers learns who won', async () => {
  const { token } = await acme()
  const call = await ask(token, refund)
  await answer(call.toolCallId, { approved: false, reason: 'Too late.' })
  const { body } = await call.read()
  expect(body).toMatchObject({ state: 'denied', approved: false, reason: 'Too late.' })
  expect(body.input).toBeUndefined()
  expect(await answer(call.toolCallId, { approved: true })).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_SETTLED' }
  })
})

test('a question and a form return the answer that their schema permits', async () => {
  const { token } = await acme()
  const question = await ask(token, {
    kind: 'question',
    title: 'Which size?',
    question: { question: 'Which size?', options: [{ label: 'S' }, { label: 'L' }], allowFreeform: false }
  })
  expect(await answer(question.toolCallId, { output: { answer: 'XL' } })).toMatchObject({ status: 422 })
  await answer(question.toolCallId, { output: { answer: 'L' } })
  expect((await question.read()).body).toMatchObject({
    kind: 'question',
    state: 'answered',
    output: { answer: 'L' }
  })

  const form = await ask(token, {
    kind: 'form',
    title: 'Address',
    outputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  })
  expect(await answer(form.toolCallId, { output: {} })).toMatchObject({
    status: 422,
    body: { fields: { city: expect.any(String) } }
  })
  await answer(form.toolCallId, { output: { city: 'Riga' } })
  expect((await form.read()).body).toMatchObject({
    kind: 'form',
    state: 'answered',
    output: { city: 'Riga' }
  })
})

test('replies and messages leave a call open, and it expires at its deadline', async () => {
  const { token, send, advanceTime, externalSystem } = await acme()
  const call = await ask(token, {
    kind: 'question',
    title: 'Hm?',
    question: { question: 'Hm?' },
    deadlineSeconds: 60
  })
  await reply('Working on it.', { token })
  await send('Any news?')
  expect((await call.read()).body).toMatchObject({ state: 'open' })
  await advanceTime(61)
  const sent = [await externalSystem.request(0), await externalSystem.request(1)].map(
    ({ body }) => JSON.parse(body).message
  )
  expect(sent.map(({ type }) => type).sort()).toEqual(['call.settled', 'user'])
  expect((await call.read()).body).toMatchObject({ state: 'expired', via: 'deadline' })
})

test('a waiting read returns as soon as the call is answered', async () => {
  const { token } = await acme()
  const call = await ask(token, refund)
  const reading = call.read(50)
  await answer(call.toolCallId, { approved: true })
  expect((await reading).body).toMatchObject({ state: 'approved', input: refund.input })
})

test('an agent cancels its call once, and cannot cancel an answered one', async () => {
  const { token, externalSystem } = await acme()
  const [first, second] = [await ask(token, refund), await ask(token, refund)]
  const cancel = ({ callToken, toolCallId }: typeof first) =>
    asAgent(cancelCall, callToken, { params: { toolCallId } })
  expect(await cancel(first)).toMatchObject({ status: 200, body: { state: 'cancelled', via: 'cancel' } })
  expect(await cancel(first)).toMatchObject({ status: 200, body: { state: 'cancelled' } })
  expect(JSON.parse((await externalSystem.request(0)).body).message).toMatchObject({ state: 'cancelled' })
  await answer(second.toolCallId, { approved: true })
  expect(await cancel(second)).toMatchObject({ status: 409, body: { code: 'ALREADY_SETTLED' } })
})

test('a repeated key returns the first call, and another body is refused', async () => {
  const { token } = await acme()
  const first = await ask(token, { ...refund, key: 'refund-7' })
  const again = await ask(token, { ...refund, key: 'refund-7' })
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(await ask(token, { ...refund, title: 'Other', key: 'refund-7' })).toMatchObject({
    status: 422,
    body: { code: 'KEY_REUSED' }
  })
  expect((await callEndpoint(sessionOperations.get, { params })).body.calls).toHaveLength(1)
})

test('the token of a call is valid for nothing else', async () => {
  const { token } = await acme()
  const [one, other] = [await ask(token, refund), await ask(token, refund)]
  const read = (credential: string | undefined, toolCallId: string) =>
    asAgent(readCall, credential, { params: { toolCallId } })
  expect((await read(one.callToken, one.toolCallId)).status).toBe(200)
  expect(await read(one.callToken, other.toolCallId)).toMatchObject({ status: 401 })
  expect(await read(token, one.toolCallId)).toMatchObject({ status: 401 })
  expect(await read(undefined, one.toolCallId)).toMatchObject({ status: 401 })
  expect(await ask(one.callToken, refund)).toMatchObject({ status: 401 })
  expect((await reply('Hi', { token: one.callToken ?? '' })).status).toBe(401)
})

test.each([
  ['no title', { kind: 'approval' }, 422, 'INVALID_INPUT'],
  ['a long title', { ...refund, title: 'x'.repeat(201) }, 422, 'INVALID_INPUT'],
  ['a long detail', { ...refund, detail: 'x'.repeat(8193) }, 422, 'INVALID_INPUT'],
  ['an unknown field', { ...refund, more: 1 }, 422, 'INVALID_INPUT'],
  ['an unknown kind', { ...refund, kind: 'vote' }, 422, 'INVALID_INPUT'],
  ['a short deadline', { ...refund, deadlineSeconds: 59 }, 422, 'INVALID_INPUT'],
  ['a long deadline', { ...refund, deadlineSeconds: 2_592_001 }, 422, 'INVALID_INPUT'],
  [
    'input that breaks its schema',
    { ...refund, input: { orderId: 'o', cents: 10_001 } },
    422,
    'INVALID_INPUT'
  ],
  ['an invalid schema', { ...refund, inputSchema: { type: 'object', properties: 1 } }, 422, 'INVALID_INPUT'],
  ['a huge input', { ...refund, inputSchema: undefined, input: 'x'.repeat(262_144) }, 413, 'TOO_LARGE'],
  ['an unknown integration', { kind: 'connection', title: 'x', integration: 'nope' }, 422, 'INVALID_INPUT']
])('a call with %s is refused, and nothing is stored', async (_, body, status, code) => {
  const { token } = await acme()
  expect(await ask(token, body)).toMatchObject({ status, body: { code } })
  const session = (await callEndpoint(sessionOperations.get, { params })).body
  expect([session.calls, session.messages]).toEqual([[], []])
})
