import type { ServerResponse } from 'node:http'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { deliveryOf } from '@waystation/protocol/session/message-parts.ts'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { resendMessage } from '#lib/deliveries/resend-message.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import type { ExternalRequest } from '#tests/support/fakes/external-system.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { wakeAll } from '#tests/support/servers/wake-all.ts'
import { acme, asAgent, reply, tokenOfAda } from './acme.ts'

const params = { sessionId: 'order-1' }
const stop = (secret?: string, body = {}) => callEndpoint(sessionOperations.cancel, { params, body }, secret)
const messageIn = ({ body }: ExternalRequest) => JSON.parse(body).message
const textsIn = (requests: readonly ExternalRequest[]) =>
  requests.map(request => messageIn(request).text ?? messageIn(request).type)
const isDelivery = (state: string, attempts?: number) => (event: SessionEvent) =>
  event.type === 'delivery' &&
  event.delivery.state === state &&
  (attempts === undefined || event.delivery.attempts.length === attempts)

test('000-10: Stop sends the external agent a signed cancel once for each state, also for an end user, and removes its status', async () => {
  const { ctx, externalSystem, send, session, sql } = await acme()
  const ada = await tokenOfAda()
  const { secret } = await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 0 })
  const key = { authorization: 'Bearer the-admin-key-of-every-test' }
  // Nothing was sent yet, so there is nothing to stop.
  expect(await stop()).toEqual({ status: 200, body: { turnId: null } })
  const { messageId } = await send('two crates')
  await session.waitForEvent(isDelivery('delivered'))
  await asAgent(externalOperations.status, undefined, { body: { text: 'Packing' }, headers: key })
  expect(await stop(ada)).toEqual({ status: 200, body: { turnId: null } })
  const request = await externalSystem.request(1)
  expect(messageIn(request)).toEqual({
    type: 'cancel',
    id: expect.stringMatching(/^msg_/),
    messageId,
    createdAt: expect.any(String)
  })
  new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
  const { messages, agentStatus } = await getSession(ctx, params)
  expect(agentStatus).toBeUndefined()
  expect(messages).toHaveLength(1)
  expect(deliveryOf(messages[0]!)).toMatchObject({ state: 'delivered', stopped: true })

  await stop(ada)
  await stop(undefined, { turnId: 'turn_other' })
  await wakeAll(sql, session)
  expect(externalSystem.requests).toHaveLength(2)

  // Each of these is a new state.
  await asAgent(externalOperations.status, undefined, { body: { text: 'Again' }, headers: key })
  await stop()
  await externalSystem.request(2)
  await send('and a lamp')
  await stop()
  await externalSystem.request(4)
  await reply('Stopped.', {}, key)
  await stop()
  await send('thanks')
  await externalSystem.request(5)
  expect(textsIn(externalSystem.requests)).toEqual([
    'two crates',
    'cancel',
    'cancel',
    'and a lamp',
    'cancel',
    'thanks'
  ])
  await expectValidSessions(sql)
})

test('000-10: Stop gives up the retry of a message, and the cancel follows the messages that were queued before it', async () => {
  let isUp = false
  const { ctx, externalSystem, send, session, sql } = await acme({ retries: 3 }, response =>
    isUp ? void response.end('ok') : void response.writeHead(503, { 'retry-after': '3600' }).end()
  )
  const { messageId } = await send('first')
  await session.waitForEvent(isDelivery('pending', 1))
  await send('second')
  isUp = true
  await stop()
  await externalSystem.request(2)
  expect(textsIn(externalSystem.requests)).toEqual(['first', 'second', 'cancel'])
  const states = (await getSession(ctx, params)).messages.map(deliveryOf)
  expect(states).toMatchObject([
    { state: 'failed', reason: 503 },
    { state: 'delivered', stopped: true }
  ])
  expect(states[0]).not.toHaveProperty('nextAt')

  // A user can still send the message again.
  await resendMessage(ctx, { ...params, messageId: messageId ?? '' })
  await externalSystem.request(3)
  expect(messageIn(externalSystem.requests[3]!).text).toBe('first')
  await expectValidSessions(sql)
})

test('000-10: an attempt that is under way when a user stops the agent is not retried', async () => {
  let release = (_: number) => {}
  const { externalSystem, send, session, ctx } = await acme({ retries: 3 }, (response, _, index) => {
    if (index === 0) release = status => void response.writeHead(status).end()
    else response.end('ok')
  })
  await send('first')
  await externalSystem.request(0)
  await stop()
  release(503)
  await session.waitForEvent(isDelivery('failed', 1))
  expect(messageIn(await externalSystem.request(1)).type).toBe('cancel')
  expect((await getSession(ctx, params)).messages.map(deliveryOf)).toMatchObject([
    { state: 'failed', reason: 503, stopped: true }
  ])
})

test('000-10: a cancel is retried like any message, and Stop works for a status without a message', async () => {
  const answers: ((response: ServerResponse) => void)[] = [response => void response.writeHead(503).end()]
  const { externalSystem, token, session, advanceTime } = await acme({ retries: 1 }, response =>
    (answers.shift() ?? (response => void response.end('ok')))(response)
  )
  await asAgent(externalOperations.status, token, { body: { text: 'Counting stock' } })
  await stop()
  await stop()
  await session.waitForEvent(isDelivery('pending', 1))
  await advanceTime(600)
  await session.waitForEvent(isDelivery('delivered'))
  expect(externalSystem.requests.map(messageIn)).toEqual([
    { type: 'cancel', id: expect.any(String), createdAt: expect.any(String) },
    { type: 'cancel', id: messageIn(externalSystem.requests[0]!).id, createdAt: expect.any(String) }
  ])
  // An expired status is not work.
  await asAgent(externalOperations.status, token, { body: { text: 'Counting stock', ttlSeconds: 5 } })
  await advanceTime(6)
  await stop()
  const list = await callEndpoint(sessionOperations.get, { params })
  expect(list.status).toBe(200)
  expect(externalSystem.requests).toHaveLength(2)
})
