import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { listAllDeliveries } from '#lib/deliveries/list-all.ts'
import { redeliver } from '#lib/deliveries/redeliver.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret
} from '#lib/features/webhooks/webhooks.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { type ExternalRequest, startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }

async function startServerWithWebhook(
  script: Parameters<typeof startTestServer>[0] = {},
  events?: CreateWebhook['events'],
  answer?: Parameters<typeof startExternalSystem>[0]
) {
  const externalSystem = await startExternalSystem(answer)
  const server = await startTestServer({
    ...script,
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'ask-question' }] } })
  const hook = CreateWebhook.parse({ url: `${externalSystem.url}/hook`, ...(events ? { events } : {}) })
  const { webhook, secret } = await createWebhook(server.ctx, hook)
  return { ...server, externalSystem, webhook, secret, session: await server.startSession('test') }
}

const bodyOf = ({ body }: ExternalRequest) =>
  JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> }
const typesOf = (requests: readonly ExternalRequest[]) => requests.map(request => bodyOf(request).type).sort()

test('webhooks for an opened call, a settled call and a parked session are sent once each, with a signature', async () => {
  const { externalSystem, secret, session, env } = await startServerWithWebhook({
    script: [replyCalls(question), replyText('Fine.')]
  })
  await session.runTurn('ask')
  const call = await session.waitForCall('ask-question')
  await externalSystem.request(1)
  expect(typesOf(externalSystem.requests)).toEqual(['call.opened', 'session.parked'])
  const opened = externalSystem.requests.map(bodyOf).find(({ type }) => type === 'call.opened')
  expect(opened).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: {
      sessionId: session.id,
      agentId: 'test',
      url: `${env.url}/sessions/${session.id}`,
      call: { toolCallId: call.toolCallId, kind: 'question', state: 'open', input: question.input }
    }
  })
  await session.answer(call, { output: { answer: 'yes' } })
  await externalSystem.request(2)
  const settledEvent = externalSystem.requests.map(bodyOf).find(({ type }) => type === 'call.settled')
  expect(settledEvent?.data).toMatchObject({ call: { state: 'answered', output: { answer: 'yes' } } })
  for (const { body, headers } of externalSystem.requests)
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  expect(new Set(externalSystem.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
})

test('a webhook is sent before a call expires, and when the expired call settles', async () => {
  const { externalSystem, session, advanceTime } = await startServerWithWebhook(
    { script: [replyCalls(question), replyText('Too late.')] },
    ['call.expiring', 'call.settled']
  )
  await session.runTurn('ask')
  await session.waitForCall('ask-question')
  await advanceTime(6 * 86400)
  expect(bodyOf(await externalSystem.request(0))).toMatchObject({
    type: 'call.expiring',
    data: { call: { state: 'open' } }
  })
  await advanceTime(86400)
  expect(bodyOf(await externalSystem.request(1))).toMatchObject({
    type: 'call.settled',
    data: { call: { state: 'expired' } }
  })
})

test('a turn that failed permanently sends a webhook with its reason; one that will be retried sends none', async () => {
  const { externalSystem, session, advanceTime } = await startServerWithWebhook(
    { script: [replyError(500), replyError(400)] },
    ['turn.failed']
  )
  const turnEnd = session.waitForEnd()
  const { messageId: _ } = await session.send('go')
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  expect(externalSystem.requests).toEqual([])
  await advanceTime(60)
  const { error, turnId } = await turnEnd
  expect(bodyOf(await externalSystem.request(0))).toMatchObject({
    type: 'turn.failed',
    data: { turnId, error }
  })
  expect(externalSystem.requests).toHaveLength(1)
})

test('only the selected events are sent, only to webhooks of this workspace, and none after deletion', async () => {
  const { ctx, actAs, sql, externalSystem, session, webhook } = await startServerWithWebhook(
    { script: [replyCalls(question), replyText('A.'), replyCalls(question), replyText('B.')] },
    ['session.parked']
  )
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'x')`
  await createWebhook(actAs('Owner', 'other'), CreateWebhook.parse({ url: `${externalSystem.url}/other` }))
  await session.runTurn('ask')
  await externalSystem.request(0)
  const call = await session.waitForCall('ask-question')
  const turnEnd = session.waitForEnd()
  await session.answer(call, { output: { answer: 'yes' } })
  await turnEnd
  await deleteWebhook(ctx, { webhookId: webhook.webhookId })
  expect(await listWebhooks(ctx, {})).toEqual({ webhooks: [] })
  await session.runTurn('ask again')
  const { deliveries } = await listAllDeliveries(ctx, {})
  expect(deliveries).toMatchObject([
    { kind: 'webhook', state: 'delivered', sessionId: session.id, to: `${externalSystem.url}/••••` }
  ])
  const sent = { sessionId: session.id, deliveryId: deliveries[0]?.id ?? '' }
  await expect(redeliver(ctx, sent)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(externalSystem.requests.map(({ path }) => path)).toEqual(['/hook'])
  expect(
    await sql`select id from signing_secrets where owner like 'webhook:%' and workspace_id = 'default'`
  ).toEqual([])
})

test('a delivery to a receiver that is down is retried, and becomes a dead letter with its reason if it never arrives', async () => {
  const { ctx, externalSystem, session, advanceTime, sql } = await startServerWithWebhook(
    { script: [replyCalls(question)] },
    ['session.parked'],
    response => void response.writeHead(500).end('broken')
  )
  await session.runTurn('ask')
  for (let tries = 1; tries <= 11; tries++) {
    await externalSystem.request(tries - 1)
    await expect
      .poll(
        async () => (await sql`select from deliveries where jsonb_array_length(attempts) = ${tries}`).length
      )
      .toBe(1)
    await advanceTime(600)
  }
  const { deliveries, nextCursor } = await listAllDeliveries(ctx, { state: 'failed' })
  expect(deliveries).toMatchObject([
    { state: 'failed', attempts: { length: 11, 0: { status: 500, body: 'broken' } } }
  ])
  expect(nextCursor).toBeNull()
  expect((await listAllDeliveries(ctx, { state: 'delivered' })).deliveries).toEqual([])
})

test('a webhook’s secret is shown once and can be rotated with an overlap', async () => {
  const { ctx, externalSystem, session, webhook, secret } = await startServerWithWebhook(
    { script: [replyCalls(question)] },
    ['call.opened']
  )
  const { secret: next } = await rotateWebhookSecret(ctx, {
    webhookId: webhook.webhookId,
    overlapSeconds: 60
  })
  expect(JSON.stringify(await listWebhooks(ctx, {}))).not.toContain('whsec_')
  await session.runTurn('ask')
  const { body, headers } = await externalSystem.request(0)
  for (const webhookSecret of [secret, next])
    expect(() => new Webhook(webhookSecret).verify(body, headers as Record<string, string>)).not.toThrow()
})

test('a call that was approved and then waits for an external system sends an opened event again, and one settled event', async () => {
  const { saveAgent, ctx, externalSystem, reopenSession } = await startServerWithWebhook(
    { script: [replyCalls({ name: 'dispatch', input: {} }), replyText('Done.')] },
    ['call.opened', 'call.settled']
  )
  const tool = {
    name: 'dispatch',
    where: 'external' as const,
    description: 'Dispatches.',
    inputSchema: { type: 'object' as const },
    url: `${externalSystem.url}/orders`,
    approval: 'ask' as const,
    retries: 0
  }
  await saveAgent({ agentId: 'sender', chat: { tools: [tool] } })
  await createSession(ctx, { agentId: 'sender', sessionId: 'order' })
  const session = await reopenSession('order')
  await session.runTurn('go')
  const call = await session.waitForCall('dispatch')
  const hooks = () => externalSystem.requests.filter(({ path }) => path === '/hook').map(bodyOf)
  await session.answer(call, { approved: true })
  await expect.poll(() => hooks().length).toBe(2)
  await session.answer(call, { output: { ok: true } })
  await expect.poll(() => hooks().length).toBe(3)
  const kinds = hooks().map(({ type, data }) => `${type} ${(data.call as { kind: string }).kind}`)
  expect(kinds.sort()).toEqual(['call.opened approval', 'call.opened external', 'call.settled external'])
})
