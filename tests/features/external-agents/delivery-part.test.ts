import type { ServerResponse } from 'node:http'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { applyEvent, emptyTranscript } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { deliveryOf } from '@waystation/protocol/session/message-parts.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { listDeliveries } from '#lib/deliveries/list.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import type { Subject } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { openSession, startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns external agents named after the paths of one server, each with a session of the same name. */
async function externalAgents(answers: Record<string, (response: ServerResponse) => void>, retries = 0) {
  const system = await startExternalSystem((response, { path }) => answers[path.slice(1)]?.(response))
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: system.host } })
  const createSessionWith = async (agentId: string, inputUrl = `${system.url}/${agentId}`) => {
    const config = { agentId, displayName: 'Acme', type: 'external', external: { inputUrl, retries } }
    await createAgent(server.ctx, AgentConfig.parse(config))
    await createSession(server.ctx, { agentId, sessionId: agentId })
    return server.reopenSession(agentId)
  }
  return { ...server, system, make: createSessionWith }
}

/** Matches the message event whose delivery has this state and reason. */
const hasDelivery = (state: string, reason?: number | string) => (event: SessionEvent) => {
  const delivery = event.type === 'message' ? deliveryOf(event.message) : undefined
  return delivery?.state === state && delivery.reason === reason
}
const messageIn = (event: SessionEvent) => (event as { message: Message }).message

test('000-10, 000-13, 000-14: a failed delivery is part of the user’s message for each reader, with its status or `timeout`, without the response text', async () => {
  const secret = 'We are closed, says the other system.'
  let isUp = false
  const {
    make: createSessionWith,
    ctx,
    sql,
    system,
    env
  } = await externalAgents({
    hangs: () => undefined,
    order: response =>
      isUp ? void response.writeHead(202).end(secret) : void response.writeHead(503).end(secret)
  })
  const hangingSession = await createSessionWith('hangs')
  await hangingSession.send('Anybody there?')
  await system.request(0)

  // While that delivery hangs for its five seconds, an end user writes in their own session, without seeing
  // deliveries.
  await createSessionWith('order')
  const params = { sessionId: 'order' }
  const created = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: 'ada', scopes: ['read', 'send'] }
  })
  const token = String(created.body.token)
  const actor = {
    kind: 'subject',
    tokenId: 't',
    name: 'ada',
    subject: 'ada',
    scopes: ['read', 'send']
  } as const
  const user: Subject = {
    ...actor,
    scopes: ['read', 'send'],
    sessionId: 'order',
    generation: 1,
    workspaceId: 'default'
  }
  const stop = new AbortController()
  const endUserView = await openSession(ctxFor(user), 'order', stop.signal)
  const view = async () => (await callEndpoint(sessionOperations.get, { params }, token)).body
  const partsOf = (body: Record<string, unknown>) => (body.messages as Message[])[0]?.parts
  const { body: receipt } = await callEndpoint(
    sessionOperations.send,
    { params, body: { text: 'Two crates.' } },
    token
  )
  const messageId = String(receipt.messageId)
  const failed = await endUserView.waitForEvent(hasDelivery('failed', 503))
  const part = {
    type: 'data-delivery',
    id: messageId,
    data: { state: 'failed', reason: 503, at: expect.any(String) }
  }
  expect(messageIn(failed).parts).toEqual([{ type: 'text', text: 'Two crates.' }, part])
  expect(partsOf(await view())).toEqual(messageIn(failed).parts)

  isUp = true
  const resend = (id = messageId) =>
    callEndpoint(externalOperations.resend, { params, body: { messageId: id } }, token)
  expect(await resend()).toEqual({ status: 202, body: { messageId, state: 'pending' } })
  await endUserView.waitForEvent(hasDelivery('delivered'))
  expect(partsOf(await view())).toEqual([
    { type: 'text', text: 'Two crates.' },
    { ...part, data: { state: 'delivered', at: expect.any(String) } }
  ])
  // A late second click sends nothing.
  expect((await resend()).body).toEqual({ messageId, state: 'delivered' })
  expect(await resend('msg_other')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  const sent = system.requests.filter(({ path }) => path === '/order')
  expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([
    sent[0]?.headers['idempotency-key'],
    sent[0]?.headers['idempotency-key']
  ])
  expect(endUserView.events.filter(({ type }) => type === 'delivery')).toEqual([])
  for (const visible of [endUserView.events, await view()]) {
    expect(JSON.stringify(visible)).not.toContain(secret)
    expect(JSON.stringify(visible)).not.toContain(system.host)
  }
  stop.abort()

  const blocked = await createSessionWith('blocked', 'http://169.254.169.254/')
  await blocked.send('Anybody?')
  expect(deliveryOf(messageIn(await blocked.waitForEvent(hasDelivery('failed'))))).not.toHaveProperty(
    'reason'
  )

  const timedOut = await hangingSession.waitForEvent(hasDelivery('failed', 'timeout'))
  const [delivery] = (await listDeliveries(ctx, { sessionId: 'hangs' })).deliveries
  expect(delivery?.attempts[0]?.ms).toBeGreaterThanOrEqual(4990)
  expect(delivery?.attempts[0]?.ms).toBeLessThan(10_000)
  const { messages } = hangingSession.events.reduce(applyEvent, emptyTranscript)
  expect(messages.map(({ message }) => message)).toEqual([messageIn(timedOut)])
  expect(JSON.stringify(messageIn(timedOut))).not.toContain(new URL(env.url).host)
  await expectValidSessions(sql)
})

test('22 A4: a delivery keeps only its last attempts, however often its message is sent again', async () => {
  const { make: createSessionWith, ctx } = await externalAgents({
    order: response => void response.writeHead(400).end('x'.repeat(5_000))
  })
  const session = await createSessionWith('order')
  const { messageId } = await session.send('Two crates.')
  for (let n = 0; n < 24; n++) {
    await session.waitForNextEvent(hasDelivery('failed', 400))
    await callEndpoint(externalOperations.resend, { params: { sessionId: 'order' }, body: { messageId } })
  }
  await session.waitForNextEvent(hasDelivery('failed', 400))
  const [delivery] = (await listDeliveries(ctx, { sessionId: 'order' })).deliveries
  expect(delivery?.attempts).toHaveLength(20)
  expect(delivery?.attempts.map(({ body }) => body?.length)).toEqual([
    ...Array(9).fill(undefined),
    ...Array(11).fill(2_000)
  ])
})

test('22 B2: a message that is retried automatically shows the reason and the time of the retry', async () => {
  let tries = 0
  const { make: createSessionWith, advanceTime } = await externalAgents(
    { flaky: response => void response.writeHead(++tries === 1 ? 502 : 200).end() },
    1
  )
  const session = await createSessionWith('flaky')
  await session.send('Hello?')
  const pendingDelivery = deliveryOf(messageIn(await session.waitForEvent(hasDelivery('pending', 502))))
  expect(Date.parse(pendingDelivery?.nextAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(pendingDelivery?.at ?? '') - 1000
  )
  await advanceTime(600)
  expect(deliveryOf(messageIn(await session.waitForEvent(hasDelivery('delivered'))))).not.toHaveProperty(
    'nextAt'
  )
})
