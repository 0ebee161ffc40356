import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { OobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { answerRoute } from '#lib/api/answer-page/answer-page.ts'
import { approveOutOfBand } from '#lib/features/out-of-band/approve-out-of-band.ts'
import { getOutOfBand } from '#lib/features/out-of-band/get-out-of-band.ts'
import { removeOutOfBand } from '#lib/features/out-of-band/remove-out-of-band.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { createWebhook, deleteWebhook } from '#lib/features/webhooks/webhooks.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { by, person } from '#tests/support/servers/actors.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a server with a held message in a session, and the webhook event that announced it. */
async function holdMessage(more: Partial<SendOob> = {}, answer?: AnswerPolicy) {
  const externalSystem = await startExternalSystem()
  const server = await startTestServer({
    script: [replyText('I see it.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({ displayName: 'Kitchen', ...(answer && { chat: { answer } }) })
  const hook = CreateWebhook.parse({ url: `${externalSystem.url}/hook`, events: ['out_of_band.held'] })
  const { webhook } = await createWebhook(server.ctx, hook)
  const session = await server.startSession('test')
  const sessionId = session.id
  await setOobPolicy(server.ctx, { sessionId, ...OobPolicy.parse({ mode: 'approve' }) })
  const input = SendOob.parse({ sessionId, content: 'Build <7> is red.', sourceId: 'ci', ...more })
  const { id: oobId } = await sendOutOfBand(server.ctx, input)
  const event = JSON.parse((await externalSystem.request(0)).body) as {
    type: string
    data: Record<string, unknown> & { message: Record<string, unknown>; answerPage?: string }
  }
  const read = () => getOutOfBand(server.ctx, { sessionId, oobId })
  return { ...server, session, sessionId, oobId, externalSystem, webhook, event, read }
}

/** Requests the page of a link, or submits its form. */
async function page(link = '', decision?: 'yes' | 'no') {
  const form = { method: 'POST', body: new URLSearchParams({ do: decision ?? '' }) }
  const request = new Request(link, decision === undefined ? {} : form)
  const response = await answerRoute(request, { token: link.split('/').at(-1) ?? '' })
  const text = await response.text()
  return {
    status: response.status,
    text,
    fate: /data-fate="(\w+)"/.exec(text)?.[1],
    state: /data-state="(\w+)"/.exec(text)?.[1]
  }
}

const list = async (query: Record<string, string> = {}) => {
  const { body } = await callEndpoint(callOperations.waiting, { query })
  return body as { calls: unknown[]; held: HeldMessage[] }
}

test('004-14: a held message is in the list of pending requests, with its session, until it is decided', async () => {
  const { ctx, session, sessionId, oobId } = await holdMessage()
  const held = {
    id: oobId,
    status: 'held',
    sessionId,
    agentId: 'test',
    mine: true,
    content: 'Build <7> is red.'
  }
  expect(await list()).toMatchObject({ calls: [], held: [held] })
  expect((await list({ mine: 'true' })).held).toHaveLength(1)
  const viewer = by(ctx, person('vera', 'viewer'))
  expect((await listPendingCalls(viewer, {})).held).toMatchObject([{ id: oobId, mine: false }])
  expect((await listPendingCalls(viewer, { mine: true })).held).toEqual([])
  expect((await listPendingCalls({ ...ctx, workspaceId: 'other' }, {})).held).toEqual([])
  const { body: waiting } = await callEndpoint(sessionOperations.list, { query: { waiting: 'true' } })
  expect(waiting.sessions).toMatchObject([{ id: sessionId, status: 'idle', outOfBand: { held: 1 } }])
  await approveOutOfBand(ctx, { sessionId, oobId })
  expect((await list()).held).toEqual([])
  await session.runTurn('hi')
  const { body: after } = await callEndpoint(sessionOperations.list, { query: { waiting: 'true' } })
  expect(after.sessions).toEqual([])
})

test('004-14: a webhook announces a held message, and its link approves it once and records the link', async () => {
  const { session, sessionId, oobId, event, env, externalSystem, model, read, sql } = await holdMessage({
    metadata: { action: 'redirect', relatedTo: 'pull request <7>' }
  })
  expect(event).toMatchObject({
    type: 'out_of_band.held',
    data: {
      sessionId,
      agentId: 'test',
      url: `${env.url}/sessions/${sessionId}`,
      message: { id: oobId, status: 'held', source: 'external', sourceId: 'ci', content: 'Build <7> is red.' }
    }
  })
  const link = event.data.answerPage
  const shown = await page(link)
  expect(shown.status).toBe(200)
  for (const text of [
    'Kitchen',
    'Build &lt;7&gt; is red.',
    'pull request &lt;7&gt;',
    'value="yes"',
    'value="no"'
  ])
    expect(shown.text).toContain(text)
  expect((await read()).status).toBe('held')
  expect((await page(link, '' as 'yes')).status).toBe(422)
  expect(await page(link, 'yes')).toMatchObject({ status: 200, fate: 'taken', state: 'approved' })
  const name = `The answer link sent to ${externalSystem.host}`
  expect(await read()).toMatchObject({ status: 'visible', approvedBy: name })
  // The same answer again shows the same page. The other one is refused and changes nothing.
  expect(await page(link, 'yes')).toMatchObject({ status: 200, fate: 'taken', state: 'approved' })
  expect(await page(link, 'no')).toMatchObject({ status: 409, fate: 'lost', state: 'approved' })
  expect((await page(link)).text).not.toContain('<form')
  await session.runTurn('hi')
  expect(JSON.stringify(model.requests[0]?.body.messages).match(/Build &lt;7/g)).toHaveLength(1)
  expect(externalSystem.requests).toHaveLength(1)
  await expectValidSessions(sql)
})

test('004-14: of two users who decide about a held message, the second one sees who was first', async () => {
  const approved = await holdMessage()
  const place = { sessionId: approved.sessionId, oobId: approved.oobId }
  await approveOutOfBand(by(approved.ctx, person('ada')), place)
  const late = await page(approved.event.data.answerPage, 'yes')
  expect(late).toMatchObject({ status: 409, fate: 'lost', state: 'approved' })
  expect(late.text).toContain('by ada')
  expect(await page(approved.event.data.answerPage, 'no')).toMatchObject({ status: 409, fate: 'lost' })
  expect(await approveOutOfBand(by(approved.ctx, person('bob')), place)).toMatchObject({ approvedBy: 'ada' })

  const removed = await holdMessage()
  const other = { sessionId: removed.sessionId, oobId: removed.oobId }
  expect(await page(removed.event.data.answerPage, 'no')).toMatchObject({ status: 200, state: 'cancelled' })
  expect((await removed.read()).cancelledBy).toBe(`The answer link sent to ${removed.externalSystem.host}`)
  await expect(approveOutOfBand(removed.ctx, other)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(removed.externalSystem.host)
  })
  expect(await page(removed.event.data.answerPage, 'yes')).toMatchObject({ status: 409, state: 'cancelled' })
})

test('004-14: two approvals at the same time deliver a held message once', async () => {
  const { ctx, sessionId, oobId, session, event, model, read, sql } = await holdMessage()
  const [, link] = await Promise.all([
    approveOutOfBand(by(ctx, person('ada')), { sessionId, oobId }),
    page(event.data.answerPage, 'yes')
  ])
  const { approvedBy } = await read()
  expect(link.fate).toBe(approvedBy === 'ada' ? 'lost' : 'taken')
  await session.runTurn('hi')
  expect(JSON.stringify(model.requests[0]?.body.messages).match(/Build &lt;7/g)).toHaveLength(1)
  await expectValidSessions(sql)
})

test('004-14: a message that has expired can no longer be approved, even before its job has run', async () => {
  const { ctx, sql, sessionId, oobId, event } = await holdMessage({ ttlSeconds: 3600 })
  await sql`update out_of_band set expires_at = clock_timestamp() - interval '1 second' where id = ${oobId}`
  expect((await list()).held).toEqual([])
  const { text } = await page(event.data.answerPage)
  expect(text).not.toContain('<form')
  expect(await page(event.data.answerPage, 'yes')).toMatchObject({ status: 409, state: 'expired' })
  await expect(approveOutOfBand(ctx, { sessionId, oobId })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('004-14: a link ends with its webhook, a forged one opens nothing, and an agent that restricts answers sends none', async () => {
  const { ctx, webhook, event } = await holdMessage()
  const link = event.data.answerPage ?? ''
  expect((await page(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`)).status).toBe(401)
  await deleteWebhook(ctx, { webhookId: webhook.webhookId })
  expect((await page(link, 'yes')).status).toBe(404)
  expect((await holdMessage({}, { roles: ['owner'] })).event.data.answerPage).toBeUndefined()
  expect((await holdMessage({}, { roles: ['owner'], links: true })).event.data.answerPage).toBeDefined()
})

test('004-17: a removed message records who removed it', async () => {
  const { ctx, sessionId, oobId, session } = await holdMessage()
  await removeOutOfBand(by(ctx, person('ada')), { sessionId, oobId })
  const { outOfBand } = await session.get()
  expect(outOfBand).toMatchObject([{ id: oobId, status: 'cancelled', cancelledBy: 'ada' }])
})
