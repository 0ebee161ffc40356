import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { listDeliveries } from '#lib/deliveries/list.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import type { Subject } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { applyEvent, emptyTranscript } from '#lib/protocol/session/fold.ts'
import { deliveryOf, type Message } from '#lib/protocol/session/message.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { openSession, testWorld } from '#tests/support/worlds/world.ts'

/** External agents named after the paths of one other system, each with a session of the same name. */
async function outside(answers: Record<string, (response: ServerResponse) => void>, retries = 0) {
  const system = await startOtherSystem((response, { path }) => answers[path.slice(1)]?.(response))
  const world = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: system.host } })
  const make = async (agentId: string, inputUrl = `${system.url}/${agentId}`) => {
    const config = { agentId, displayName: 'Acme', type: 'external', external: { inputUrl, retries } }
    await createAgent(world.ctx, AgentConfig.parse(config))
    await createSession(world.ctx, { agentId, sessionId: agentId })
    return world.reopen(agentId)
  }
  return { ...world, system, make }
}

/** The message, once its delivery is as it should be. */
const shows = (state: string, reason?: number | string) => (event: SessionEvent) => {
  const delivery = event.type === 'message' ? deliveryOf(event.message) : undefined
  return delivery?.state === state && delivery.reason === reason
}
const messageIn = (event: SessionEvent) => (event as { message: Message }).message

test('22 B2: a failed forward is a part of the user’s message for everyone, with its status code or `timeout` and never with the other system’s text', async () => {
  const secret = 'We are closed, says the other system.'
  let up = false
  const { make, ctx, sql, system, env } = await outside({
    hangs: () => undefined,
    order: response => (up ? void response.end(secret) : void response.writeHead(503).end(secret))
  })
  const hanging = await make('hangs')
  await hanging.send('Anybody there?')
  await system.request(0)

  // While that one hangs for its five seconds: an end user, who sees no deliveries, in a session of their own.
  await make('order')
  const params = { sessionId: 'order' }
  const made = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: 'ada', scopes: ['read', 'send'] }
  })
  const token = String(made.body.token)
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
  const seen = await openSession(ctxFor(user), 'order', stop.signal)
  const view = async () => (await callEndpoint(sessionOperations.get, { params }, token)).body
  const partsOf = (body: Record<string, unknown>) => (body.messages as Message[])[0]?.parts
  const { body: receipt } = await callEndpoint(
    sessionOperations.send,
    { params, body: { text: 'Two crates.' } },
    token
  )
  const messageId = String(receipt.messageId)
  const failed = await seen.sees(shows('failed', 503))
  const part = {
    type: 'data-delivery',
    id: messageId,
    data: { state: 'failed', reason: 503, at: expect.any(String) }
  }
  expect(messageIn(failed).parts).toEqual([{ type: 'text', text: 'Two crates.' }, part])
  expect(partsOf(await view())).toEqual(messageIn(failed).parts)

  up = true
  const resend = (id = messageId) =>
    callEndpoint(externalOperations.resend, { params, body: { messageId: id } }, token)
  expect(await resend()).toEqual({ status: 202, body: { messageId, state: 'pending' } })
  await seen.sees(shows('delivered'))
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
  expect(seen.events.filter(({ type }) => type === 'delivery')).toEqual([])
  for (const told of [seen.events, await view()]) {
    expect(JSON.stringify(told)).not.toContain(secret)
    expect(JSON.stringify(told)).not.toContain(system.host)
  }
  stop.abort()

  const blocked = await make('blocked', 'http://169.254.169.254/')
  await blocked.send('Anybody?')
  expect(deliveryOf(messageIn(await blocked.sees(shows('failed'))))).not.toHaveProperty('reason')

  const late = await hanging.sees(shows('failed', 'timeout'))
  const [delivery] = (await listDeliveries(ctx, { sessionId: 'hangs' })).deliveries
  expect(delivery?.attempts[0]?.ms).toBeGreaterThanOrEqual(4990)
  const { messages } = hanging.events.reduce(applyEvent, emptyTranscript)
  expect(messages.map(({ message }) => message)).toEqual([messageIn(late)])
  expect(JSON.stringify(messageIn(late))).not.toContain(new URL(env.url).host)
  await expectSoundSessions(sql)
})

test('22 A4: however often a message is sent again, its delivery holds the last attempts only', async () => {
  const { make, ctx } = await outside({
    order: response => void response.writeHead(400).end('x'.repeat(5_000))
  })
  const session = await make('order')
  const { messageId } = await session.send('Two crates.')
  for (let n = 0; n < 24; n++) {
    await session.next(shows('failed', 400))
    await callEndpoint(externalOperations.resend, { params: { sessionId: 'order' }, body: { messageId } })
  }
  await session.next(shows('failed', 400))
  const [delivery] = (await listDeliveries(ctx, { sessionId: 'order' })).deliveries
  expect(delivery?.attempts).toHaveLength(20)
  expect(delivery?.attempts.map(({ body }) => body?.length)).toEqual([
    ...Array(9).fill(undefined),
    ...Array(11).fill(2_000)
  ])
})

test('22 B2: a message that the server sends again by itself says why it failed and when that is', async () => {
  let tries = 0
  const { make, pass } = await outside(
    { flaky: response => void response.writeHead(++tries === 1 ? 502 : 200).end() },
    1
  )
  const session = await make('flaky')
  await session.send('Hello?')
  const waiting = deliveryOf(messageIn(await session.sees(shows('pending', 502))))
  expect(Date.parse(waiting?.nextAt ?? '')).toBeGreaterThanOrEqual(Date.parse(waiting?.at ?? '') - 1000)
  await pass(600)
  expect(deliveryOf(messageIn(await session.sees(shows('delivered'))))).not.toHaveProperty('nextAt')
})
