import type { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { expect, test } from 'vitest'
import { answerRoute } from '#lib/api/answer-page/answer-page.ts'
import { answerPage } from '#lib/features/webhooks/answer-links/answer-page-link.ts'
import { createWebhook, deleteWebhook } from '#lib/features/webhooks/webhooks.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { listLog } from '#lib/sessions/list-log.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const question = {
  name: 'ask-question',
  input: { question: 'Tea or coffee?', options: [{ label: 'Tea' }, { label: 'Coffee' }] }
}
const fetchCall = { name: 'web-fetch', input: { url: 'https://example.com/<b>"&\u202Etxt' } }

type ToolInput = { name: string; input: unknown }
type Options = { chat?: Partial<ChatConfig>; events?: CreateWebhook['events']; again?: boolean }

/** Returns a server whose agent makes this call, and the webhook that receives its notice. */
async function openCall(
  toolInput: ToolInput = question,
  { chat = {}, events = ['call.opened'], again: attemptIndex = false }: Options = {}
) {
  const externalSystem = await startExternalSystem()
  const server = await startTestServer({
    script: [replyCalls(toolInput), ...(attemptIndex ? [replyCalls(toolInput)] : []), replyText('Done.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  const tools = [{ name: 'ask-question' }, { name: 'web-fetch', approval: 'ask' as const }]
  await server.saveAgent({ displayName: 'Kitchen & Co', chat: { tools, ...chat } })
  const hook = CreateWebhook.parse({ url: `${externalSystem.url}/hook`, events })
  const { webhook } = await createWebhook(server.ctx, hook)
  await createSession(server.ctx, { agentId: 'test', sessionId: 'order', title: 'Order <7>' })
  const session = await server.reopenSession('order')
  await session.runTurn('go')
  const call = await session.waitForCall(toolInput.name)
  const webhookData = (index: number) =>
    externalSystem.request(index).then(({ body }) => JSON.parse(body).data as { answerPage?: string })
  return {
    ...server,
    externalSystem,
    webhook,
    session,
    call,
    webhookData,
    link: (await webhookData(0)).answerPage ?? ''
  }
}

/** Requests the page with a real HTTP request. */
async function page(
  link: string,
  form?: Record<string, string | string[]>,
  { method = form === undefined ? 'GET' : 'POST', headers = {} as Record<string, string> } = {}
) {
  const fields = Object.entries(form ?? {}).flatMap(([name, value]) =>
    [value].flat().map(item => [name, item] as [string, string])
  )
  const request = new Request(link, {
    method,
    headers: { ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
    ...(form ? { body: new URLSearchParams(fields).toString() } : {})
  })
  const token = link.split('/').at(-1) ?? ''
  const response = await answerRoute(request, { token })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('the notice of an open approval has a link to a page that shows the agent, the arguments and the deadline', async () => {
  const { link, env, call } = await openCall(fetchCall)
  expect(link).toMatch(new RegExp(`^${env.url}/answer/[\\w~-]+$`))
  const { status, headers, text } = await page(link)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-robots-tag')).toContain('noindex')
  for (const expectedText of [
    'Kitchen &amp; Co',
    'Order &lt;7&gt;',
    'web-fetch',
    'value="yes"',
    'value="no"'
  ])
    expect(text).toContain(expectedText)
  expect(text).toContain(`datetime="${call.since}"`)
  expect(text).toContain(`datetime="${call.deadline}"`)
  expect(text).not.toContain('<script')
})

test('text from an agent is never markup on the page, and no control character reverses it', async () => {
  const { link } = await openCall(fetchCall)
  const { text } = await page(link)
  expect(text).toContain('https://example.com/&lt;b&gt;')
  expect(text).not.toContain('<b>')
  expect(text).not.toContain('\u202E')
  expect(text).toContain('\\u202e')
})

test('the page shows a long question in full', async () => {
  const longQuestion = `${'Tea, and then? '.repeat(60)}Or\nnothing?`
  const { link } = await openCall({
    name: question.name,
    input: { question: longQuestion, inputType: 'text' }
  })
  expect((await page(link)).text).toContain(longQuestion)
})

test('GET and HEAD of a link change nothing, however often a scanner or a preview requests it', async () => {
  const { link, session, ctx } = await openCall()
  const before = await listLog(ctx, { sessionId: session.id, limit: 500 })
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await page(link)).status).toBe(200)
    expect((await page(`${link}?do=yes&choice=0`)).status).toBe(401)
    expect(
      (await page(link, undefined, { method: 'HEAD', headers: { 'sec-purpose': 'prefetch' } })).status
    ).toBe(200)
  }
  expect((await session.get()).session.waitingFor).toMatchObject([{ state: 'open' }])
  expect(await listLog(ctx, { sessionId: session.id, limit: 500 })).toEqual(before)
})

test('a link that one workspace signed opens no call of another', async () => {
  const { ctx, webhook, session, call, link } = await openCall()
  await ctx.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'a secret of theirs')`
  await ctx.sql`
    insert into webhooks select (jsonb_populate_record(w, '{"workspace_id": "other"}')).* from webhooks w where id = ${webhook.webhookId}`
  const scope = { sessionKey: session.key, generation: 1, kind: call.kind, webhookId: webhook.webhookId }
  const signedLink = (workspaceId: string, secret: string) =>
    answerPage(new URL(link).origin, secret, { ...scope, workspaceId, toolCallId: call.toolCallId })
  const [ownCall] = await ctx.sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = 'default'`
  expect(signedLink('default', ownCall?.secret ?? '')).toBe(link)
  expect((await page(signedLink('other', 'a secret of theirs'))).status).toBe(404)
})

test('POST answers the question like any other answer, and records the link that was sent to this webhook', async () => {
  const { link, session, call, externalSystem } = await openCall()
  const ended = session.waitForEnd()
  const { status, text } = await page(link, { do: 'yes', choice: '1' })
  expect(status).toBe(200)
  expect(text).not.toContain('<form')
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'answered',
    output: { answer: 'Coffee' },
    via: 'link',
    answeredBy: `The answer link sent to ${externalSystem.host}`
  })
  expect(await ended).toMatchObject({ status: 'idle', outcome: 'done' })
})

test('a link can give an approval, or decline it with a reason that the model receives', async () => {
  const approving = await openCall(fetchCall)
  await page(approving.link, { do: 'yes', reason: ' Go on. ' })
  expect(await approving.session.waitForSettled(approving.call)).toMatchObject({
    state: 'approved',
    reason: 'Go on.',
    via: 'link'
  })
  const declined = await openCall(fetchCall)
  const { text } = await page(declined.link, { do: 'no', reason: 'Not <today>.' })
  expect(text).toContain('“Not &lt;today&gt;.”')
  expect(await declined.session.waitForSettled(declined.call)).toMatchObject({
    state: 'denied',
    reason: 'Not <today>.'
  })
})

test.each([
  ['multi-select', { choice: ['0', '1'], text: 'Water' }, { answer: ['Tea', 'Coffee', 'Water'] }],
  ['text', { text: ' With milk,\r\ntwo sugars ' }, { answer: 'With milk,\ntwo sugars' }],
  ['single-select', { text: 'Water' }, { answer: 'Water' }]
])('the page shows the matching form for a %s question', async (inputType, form, output) => {
  const { link, session, call } = await openCall({
    name: question.name,
    input: { ...question.input, inputType }
  })
  expect((await page(link, { do: 'yes', ...form })).status).toBe(200)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'answered', output })
})

test('a form that has no answer, two answers or an unknown option gets an error, and the call stays open', async () => {
  const closed = { ...question.input, allowFreeform: false }
  const { link, session } = await openCall({ name: question.name, input: closed })
  const invalidForms: Record<string, string>[] = [
    {},
    { do: 'yes' },
    { do: 'yes', choice: '7' },
    { do: 'yes', text: 'Water' },
    { do: 'maybe' }
  ]
  for (const form of invalidForms) {
    const { status, text } = await page(link, form)
    expect(status, JSON.stringify(form)).toBe(422)
    expect(text).toContain('role="alert"')
    expect(text).toContain('name="choice"')
  }
  const bothFilled = await page(link, { do: 'yes', choice: '0', text: 'Water' })
  expect(bothFilled.text).toContain('role="alert"')
  expect(bothFilled.text).toContain('value="0" checked')
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('a repeated answer shows the same page; a different one names the winner (ALREADY_SETTLED)', async () => {
  const { link, session, call, externalSystem } = await openCall()
  for (let attemptIndex = 0; attemptIndex < 2; attemptIndex++) {
    const { status, text } = await page(link, { do: 'yes', choice: '0' })
    expect(status).toBe(200)
    expect(text).not.toContain('<form')
  }
  const { status, text } = await page(link, { do: 'yes', choice: '1' })
  expect(status).toBe(409)
  expect(text).toContain(externalSystem.host)
  expect(text).toContain('“Tea”')
  expect(text).not.toContain('<form')
  expect(await session.waitForSettled(call)).toMatchObject({ output: { answer: 'Tea' } })
  const shownPage = await page(link)
  expect(shownPage.status).toBe(200)
  expect(shownPage.text).not.toContain('<form')
})

test('of 20 answers at once through the link, one wins and the others see the winner', async () => {
  const { link, session, call } = await openCall({
    ...question,
    input: { question: 'Which?', inputType: 'text' }
  })
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) => page(link, { do: 'yes', text: `answer ${n}` }))
  )
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(results.filter(({ status }) => status === 409)).toHaveLength(19)
  const settledCall = await session.waitForSettled(call)
  const winner = results.findIndex(({ status }) => status === 200)
  expect(settledCall.output).toEqual({ answer: `answer ${winner}` })
  expect(
    session.events.filter(event => event.type === 'call' && event.call.state === 'answered')
  ).toHaveLength(1)
})

test('a forged link returns 401, whichever part of it was changed', async () => {
  const { link, session } = await openCall()
  const [root, token = ''] = link.split('/answer/')
  const parts = token.split('~')
  const forgedLinks = parts.map((part, position) => {
    const other = /^\d+$/.test(part)
      ? String(Number(part) + 1)
      : `${part.slice(0, -1)}${part.endsWith('a') ? 'b' : 'a'}`
    return parts.with(position, other).join('~')
  })
  for (const item of [...forgedLinks, 'x', parts.slice(0, -1).join('~'), `${token}a`, token.toUpperCase()]) {
    for (const form of [undefined, { do: 'yes', choice: '0' }]) {
      const { status, text } = await page(`${root}/answer/${item}`, form)
      expect(status, item).toBe(401)
      expect(text).not.toContain('<form')
    }
  }
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('a link that was sent to a webhook that is deleted returns 404', async () => {
  const { link, ctx, webhook, session } = await openCall()
  await deleteWebhook(ctx, { webhookId: webhook.webhookId })
  for (const form of [undefined, { do: 'yes', choice: '0' }])
    expect((await page(link, form)).status).toBe(404)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('a link of a session that was deleted or created again returns 404', async () => {
  const { link, ctx, reopenSession, call, sql } = await openCall(question, { again: true })
  await deleteSession(ctx, { sessionId: 'order' })
  expect((await page(link)).status).toBe(404)
  await createSession(ctx, { agentId: 'test', sessionId: 'order' })
  const newGeneration = await reopenSession('order')
  await newGeneration.runTurn('go')
  const { toolCallId } = await newGeneration.waitForCall('ask-question')
  // This is true even if a later call gets the same ID.
  await sql`update calls set tool_call_id = ${call.toolCallId} where tool_call_id = ${toolCallId}`
  for (const form of [undefined, { do: 'yes', choice: '0' }])
    expect((await page(link, form)).status).toBe(404)
  expect((await newGeneration.get()).session.waitingFor).toHaveLength(1)
})

test('a link whose call is past its deadline says so, and its answer has lost', async () => {
  const { link, session, call, sql } = await openCall()
  await sql`update calls set deadline = clock_timestamp() where tool_call_id = ${call.toolCallId}`
  const { text } = await page(link)
  expect(text).not.toContain('<form')
  expect((await page(link, { do: 'yes', choice: '0' })).status).toBe(409)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired' })
  expect((await page(link)).text).toContain('data-state="expired"')
})

test('call.expiring has its own kind of link, and call.settled has none', async () => {
  const { webhookData, advanceTime, session, link } = await openCall(question, {
    events: ['call.opened', 'call.expiring', 'call.settled']
  })
  await advanceTime(6 * 86400)
  expect((await webhookData(1)).answerPage).toBe(link)
  const ended = session.waitForEnd()
  await page(link, { do: 'no' })
  expect(await webhookData(2)).not.toHaveProperty('answerPage')
  await ended
})

test('an approval that was passed on is over for its link: the page names the approver, and the link cannot answer the external system’s call', async () => {
  const externalServer = await startExternalSystem()
  const tool = {
    name: 'dispatch',
    where: 'external' as const,
    description: 'Dispatches.',
    inputSchema: { type: 'object' as const },
    url: `${externalServer.url}/orders`,
    approval: 'ask' as const,
    retries: 0
  }
  const {
    link,
    session,
    externalSystem: hookServer,
    webhookData
  } = await openCall({ name: 'dispatch', input: {} }, { chat: { tools: [tool] } })
  const approved = await page(link, { do: 'yes' })
  expect(approved).toMatchObject({ status: 200, text: expect.stringContaining('role="status"') })
  expect((await page(link, { do: 'yes' })).status).toBe(200)
  const denied = await page(link, { do: 'no' })
  expect(denied.status).toBe(409)
  expect(denied.text).toContain(hookServer.host)
  expect((await page(link)).text).not.toContain('<form')
  expect(await webhookData(1)).not.toHaveProperty('answerPage')
  expect((await session.get()).session.waitingFor).toMatchObject([{ kind: 'external', state: 'open' }])
})

test.each([
  ['a page of another site', { origin: 'https://evil.example' }, 403],
  ['a sandboxed page of another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
  [
    'another page of the same site',
    { origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' },
    403
  ],
  ['its own form, under no-referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 200],
  ['its own form over plain HTTP, without Fetch metadata', { origin: 'null' }, 200],
  ['a program', {}, 200]
])('an answer from %s (%j) gets the status %i', async (_, headers, status) => {
  const { link, session } = await openCall()
  expect((await page(link, { do: 'yes', choice: '0' }, { headers })).status).toBe(status)
  expect((await session.get()).session.waitingFor).toHaveLength(status === 200 ? 0 : 1)
})

test('a body that is not a form, or is too large, answers nothing', async () => {
  const { link, session } = await openCall()
  expect((await page(link, { '{"do":"yes","choice":"0"}': '' })).status).toBe(422)
  expect((await page(link, { do: 'yes', text: 'x'.repeat(600_000) })).status).toBe(413)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
})

test('the link is only in the webhook’s payload: not in the log, the session, or the list of deliveries', async () => {
  const { link, session, ctx } = await openCall()
  const token = link.split('/').at(-1) ?? '-'
  const { listAllDeliveries } = await import('#lib/deliveries/list-all.ts')
  const recorded = [
    await listLog(ctx, { sessionId: session.id, limit: 500 }),
    await session.get(),
    await listAllDeliveries(ctx, {})
  ]
  expect(JSON.stringify(recorded)).not.toContain(token)
})

test.each([
  ['only owners', { roles: ['owner' as const] }, false],
  ['not the user who asked', { notAsker: true }, false],
  ['no links', { links: false }, false],
  ['only owners, or links', { roles: ['owner' as const], links: true }, true],
  ['no restriction', {}, true]
])('the policy “%s” decides whether a link is sent', async (_, answer, isSent) => {
  const { link, session, call } = await openCall(fetchCall, { chat: { answer } })
  expect(link !== '').toBe(isSent)
  if (!isSent) return
  expect((await page(link, { do: 'no' })).status).toBe(200)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'denied', via: 'link' })
})
