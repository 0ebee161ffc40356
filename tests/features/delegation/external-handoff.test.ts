import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { enqueueOverdueAlarms } from '#lib/features/alarms/fire-alarm.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { createWebhook } from '#lib/features/webhooks/webhooks.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { wakeAll } from '#tests/support/servers/wake-all.ts'
import { eventually, post, teamWithAcme } from './external-team.ts'

const { callback } = externalOperations
const toAcme = (reason?: string) =>
  replyCalls({ name: 'handoff_to_acme', input: reason === undefined ? {} : { reason } })
/** Hands a session off as a person would, with the dialog. */
const handTo = (sessionId: string, agentId: string) =>
  callEndpoint(sessionOperations.handOff, { params: { sessionId }, body: { agentId } })
const textsOf = (messages: readonly Message[]) => messages.map(textOf).filter(text => text !== '')

test('003-11: a model hands its session off to an external agent, which then receives the messages; no step runs', async () => {
  const { session, received, model, sql } = await teamWithAcme({
    script: [toAcme('The invoice 7 is wrong.'), replyText('Welcome back.')]
  })
  expect(await session.runTurn('My invoice is wrong.')).toMatchObject({ outcome: 'done' })
  const tools = JSON.stringify(model.requests[0]?.body)
  expect(tools).toContain('receives your reason')
  expect(await received(0)).toMatchObject({
    sessionId: session.id,
    agentId: 'acme',
    message: {
      type: 'handoff',
      text: 'The invoice 7 is wrong.',
      from: { agentId: 'reception', displayName: 'Reception' },
      by: { kind: 'agent' }
    }
  })
  expect((await session.get()).session.speaker).toEqual({
    agentId: 'acme',
    displayName: 'Acme',
    external: true
  })
  await session.send('Hello?')
  const forwarded = await received(1)
  expect(forwarded.message).toMatchObject({ type: 'user', text: 'Hello?' })
  expect(await post(callback, forwarded.callbackUrl, 'Acme here.')).toMatchObject({ status: 200 })
  expect(model.requests).toHaveLength(1)
  const { messages } = await session.get()
  expect(textsOf(messages)).toEqual(['My invoice is wrong.', 'Hello?', 'Acme here.'])
  expect(messages.at(-1)?.metadata).toMatchObject({ sentBy: 'Acme', agentId: 'acme' })

  expect(await handTo(session.id, 'reception')).toMatchObject({ status: 200 })
  expect(await session.runTurn('And now?')).toMatchObject({ outcome: 'done' })
  const prompt = JSON.stringify(model.requests[1]?.body.messages)
  expect(prompt).toMatch(/My invoice is wrong.*Hello\?.*Acme here\..*And now\?/)
  expect(prompt).toContain('Acme handed this conversation to you')
  expect((await session.get()).session.speaker).toBeUndefined()
  await expectValidSessions(sql)
})

test('000-17, 003-11: after a handoff, a webhook names the agent that replied', async () => {
  const { session, received, ctx, externalSystem } = await teamWithAcme()
  const hook = { url: `${externalSystem.url}/hook`, events: ['message.received'] }
  await createWebhook(ctx, CreateWebhook.parse(hook))
  await handTo(session.id, 'acme')
  const { callbackUrl } = await received(0)
  await post(callback, callbackUrl, 'Acme here.')
  await eventually(() => {
    const [event] = externalSystem.requests.filter(({ path }) => path === '/hook')
    expect(JSON.parse(event?.body ?? '{}').data).toMatchObject({ sessionId: session.id, agentId: 'acme' })
  })
})

test('003-11: a reply of only files is named to the chat agent that takes over, without an empty text', async () => {
  const { session, received, model } = await teamWithAcme({ script: [replyText('Welcome back.')] })
  await handTo(session.id, 'acme')
  const { callbackUrl } = await received(0)
  const { body: file } = await post(
    externalOperations.replyFile,
    `${callbackUrl.replace('/messages?', '/files?')}&name=invoice.csv`,
    'a,b'
  )
  const reply = JSON.stringify({ fileIds: [file.id] })
  const repliesUrl = callbackUrl.replace('/messages?', '/replies?')
  expect(await post(externalOperations.reply, repliesUrl, reply)).toMatchObject({ status: 200 })

  await handTo(session.id, 'reception')
  expect(await session.runTurn('And now?')).toMatchObject({ outcome: 'done' })
  type Prompt = { messages: { role: string; content: unknown }[] }
  const prompt = model.requests[0]?.body as Prompt | undefined
  const texts = prompt?.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
  expect(texts).toEqual([expect.stringContaining('invoice.csv')])
})

test('003-11: the credentials of an external agent work only while the session is handed to it', async () => {
  const { session, received, ctx } = await teamWithAcme()
  expect(await handTo(session.id, 'acme')).toMatchObject({
    body: { speaker: { agentId: 'acme', external: true } }
  })
  const { callbackUrl } = await received(0)
  expect((await callbackLinkOf(ctx, { sessionId: session.id })).callbackUrl).toBe(callbackUrl)
  expect(await post(callback, callbackUrl, 'Mine.')).toMatchObject({ status: 200 })
  await post(callback, callbackUrl, 'In pieces', { 'waystation-message': 'r1' })
  await handTo(session.id, 'billing')
  expect(await post(callback, callbackUrl, 'No longer.')).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' }
  })
  await expect(callbackLinkOf(ctx, { sessionId: session.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(textsOf((await session.get()).messages)).toEqual(['Mine.', 'In pieces'])
  await handTo(session.id, 'acme')
  expect(await post(callback, callbackUrl, 'Again.')).toMatchObject({ status: 200 })
})

test('003-11: a person hands off during a turn: the turn stops, and queued messages are forwarded in their order', async () => {
  const { session, received, externalSystem, model, sql } = await teamWithAcme({
    script: [replyThenHold('One moment'), replyText('Never.')]
  })
  await session.send('Start.')
  await session.waitForText('One moment')
  await session.send('First.', { whenBusy: 'queue' })
  await session.send('Second.', { whenBusy: 'steer' })
  await session.send('Third.', { whenBusy: 'queue' })
  expect(await handTo(session.id, 'acme')).toMatchObject({ status: 200 })
  await session.waitForEnd()
  const types = [await received(0), await received(1), await received(2), await received(3)]
  expect(types.map(({ message }) => [message.type, message.text])).toEqual([
    ['handoff', ''],
    ['user', 'First.'],
    ['user', 'Second.'],
    ['user', 'Third.']
  ])
  await wakeAll(sql, session)
  expect(model.requests).toHaveLength(1)
  expect(externalSystem.requests).toHaveLength(4)
  const view = await session.get()
  expect(view.session.status).toBe('idle')
  expect(view.messages.every(({ metadata }) => metadata?.queued === undefined)).toBe(true)
  await handTo(session.id, 'reception')
  await expectValidSessions(sql)
})

test('003-11: an approval that is open at the handoff can be answered; its result waits for the chat agent', async () => {
  const { session, received, model, sql } = await teamWithAcme(
    {
      script: [
        replyCalls({ name: 'web-fetch', input: { url: 'https://gone.invalid/' } }),
        replyText('It failed.')
      ]
    },
    { tools: [{ name: 'web-fetch', approval: 'ask' }] }
  )
  await session.send('Fetch it.')
  const call = await session.waitForCall('web-fetch')
  await session.waitForEnd()
  await handTo(session.id, 'acme')
  expect((await received(0)).message).toMatchObject({ type: 'handoff' })
  await session.send('Are you there?')
  expect((await received(1)).message).toMatchObject({ text: 'Are you there?' })
  await session.answer(call, { approved: true })
  await eventually(async () => {
    const [ran] = (await session.get()).calls
    expect(ran).toMatchObject({ toolCallId: call.toolCallId, errorText: expect.any(String) })
  })
  await wakeAll(sql, session)
  expect(model.requests).toHaveLength(1)
  await handTo(session.id, 'reception')
  await session.waitForText('It failed.')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(
    /call_answer.*Are you there|Are you there.*call_answer/
  )
  await expectValidSessions(sql)
})

test('003-11: out-of-band messages and alarms of a session that was handed off reach the external agent', async () => {
  const soon = new Date(Date.now() + 5 * 60_000).toISOString()
  const { session, received, model, ctx, sql, advanceTime } = await teamWithAcme(
    {
      script: [
        replyCalls({ name: 'alarm-clock', input: { wakeAtISO: soon, reminderMessage: 'Call back.' } }),
        replyText('Set.')
      ]
    },
    { tools: [{ name: 'alarm-clock', approval: 'auto' }] }
  )
  await session.runTurn('Remind me.')
  const tell = (content: string) =>
    sendOutOfBand(ctx, SendOob.parse({ sessionId: session.id, content, priority: 'low' }))
  await tell('Before.')
  await handTo(session.id, 'acme')
  await tell('After.')
  const received3 = [await received(0), await received(1), await received(2)]
  expect(received3.map(({ message }) => [message.type, message.text])).toEqual([
    ['handoff', ''],
    ['oob', 'Before.'],
    ['oob', 'After.']
  ])
  await advanceTime(6 * 60)
  await enqueueOverdueAlarms(ctx)
  expect((await received(3)).message).toMatchObject({
    type: 'user',
    text: expect.stringContaining('Call back.')
  })
  expect(model.requests).toHaveLength(2)
  await handTo(session.id, 'reception')
  await expectValidSessions(sql)
})

test('003-11: while an external agent speaks, it receives files, and nothing can be run again', async () => {
  const { session, received, ctx } = await teamWithAcme({ script: [replyText('Hi.')] })
  await session.runTurn('Hello.')
  await handTo(session.id, 'acme')
  await received(0)
  const file = { type: 'file' as const, mediaType: 'text/plain', url: 'data:text/plain,a', filename: 'a.txt' }
  await sendMessage(ctx, SendMessage.parse({ sessionId: session.id, parts: [file] }))
  expect((await received(1)).message).toMatchObject({
    type: 'user',
    files: [{ name: 'a.txt', type: 'text/plain', url: expect.stringContaining('/files/') }]
  })
  const [first] = (await session.get()).messages
  const rerun = await callEndpoint(sessionOperations.rerunTurn, {
    params: { sessionId: session.id, messageId: first?.id ?? '' }
  })
  expect(rerun).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect((await session.get()).messages).toHaveLength(4)
})

test('003-11: a sub-agent that hands off to an external agent still owes its result, which that agent finishes', async () => {
  const { session, received, sql } = await teamWithAcme(
    {
      script: [
        replyCalls({ name: 'spawn-agent', input: { task: 'Check invoice 7.' } }),
        toAcme('Check invoice 7.'),
        replyText('It is right.')
      ]
    },
    { tools: [{ name: 'spawn-agent' }] }
  )
  await session.send('Is invoice 7 right?')
  const call = await session.waitForCall('spawn-agent')
  const task = await received(0)
  expect(task).toMatchObject({
    task: { parentSessionId: session.id, toolCallId: call.toolCallId },
    message: { type: 'handoff', text: 'Check invoice 7.' }
  })
  await wakeAll(sql, session)
  expect((await session.get()).session.status).toBe('parked')
  await post(externalOperations.finish, task.finishUrl ?? '', '{"output": "Yes."}')
  expect((await session.waitForSettled(call)).output).toMatchObject({ result: 'Yes.' })
  await session.waitForText('It is right.')
  await expectValidSessions(sql)
})

test('000-11: with a history, the handoff brings the last messages of the conversation', async () => {
  const { session, received } = await teamWithAcme({ script: [replyText('Which one?')] }, { history: 2 })
  await session.runTurn('My invoice is wrong.')
  await handTo(session.id, 'acme')
  expect((await received(0)).history).toMatchObject([
    { role: 'user', text: 'My invoice is wrong.' },
    { role: 'assistant', text: 'Which one?' }
  ])
  await session.send('Invoice 7.')
  expect(await received(1)).not.toHaveProperty('history')
})

test('003-11: Stop reaches an agent that has taken over, and its status line ends when another agent does', async () => {
  const { session, received, ctx } = await teamWithAcme()
  await handTo(session.id, 'acme')
  const { callbackUrl, message } = await received(0)
  await session.cancel()
  expect((await received(1)).message).toMatchObject({ type: 'cancel', messageId: message.id })
  const statusUrl = callbackUrl.replace('/messages?', '/status?')
  const working = { text: 'Reading…', ttlSeconds: 600 }
  expect(await post(externalOperations.status, statusUrl, JSON.stringify(working))).toMatchObject({
    status: 200
  })
  const status = async () => (await getSession(ctx, { sessionId: session.id })).agentStatus
  expect(await status()).toMatchObject({ text: 'Reading…' })
  await handTo(session.id, 'billing')
  expect(await status()).toBeUndefined()
})
