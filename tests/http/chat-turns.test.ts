import { readFileSync } from 'node:fs'
import { DefaultChatTransport } from 'ai'
import { expect, test } from 'vitest'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { replyCalls, replyText, replyThenError, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { openTabs } from './chat-client.ts'
import { eachAnswer, inOrder, loadMessages, onlyWhatMayBeNew, stopTurn } from './chat-recipes.ts'

const more = {
  clientTools: ['paint', 'frame'].map(name => ({
    name,
    description: 'In the browser.',
    inputSchema: { type: 'object' }
  }))
}
const paintCall = { name: 'paint', input: { colour: 'red' } }
const frameCall = { name: 'frame', input: { wood: 'oak' } }

async function startChatServer(script: ModelScript, chat: object = {}) {
  const server = await startTestServer({ script })
  await server.saveAgent({ chat })
  return { ...server, ...(await openTabs()) }
}

test('a retried step discards its text and streams again in the same stream', async () => {
  const { tab, advanceTime, reopenSession } = await startChatServer([
    replyThenError('Half a'),
    replyText('A whole answer.')
  ])
  const chat = tab()
  const sending = chat.sendMessage({ text: 'Hi' })
  await chat.until(() => chat.agentTexts.join().includes('Half'))
  const session = await reopenSession('s')
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  await advanceTime(60)
  await sending
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['A whole answer.'])
  expect(chat.exchanges).toHaveLength(1)
})

test('a message of another user during a turn is shown where the agent read it', async () => {
  const { tab, model, reopenSession } = await startChatServer([
    replyThenHold('Working'),
    replyText('Blue, then.')
  ])
  const chat = tab()
  const sending = chat.sendMessage({ text: 'Paint it red' })
  await chat.until(() => chat.agentTexts.join().includes('Working'))
  const session = await reopenSession('s')
  await session.send('No, blue', { whenBusy: 'steer' })
  model.release()
  await sending
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['Working|Blue, then.'])
  const steering = chat.messages[1]?.parts.find(({ type }) => type === 'steering-message')
  expect(steering).toMatchObject({ parts: [{ type: 'text', text: 'No, blue' }] })
  const [, , , last] = (await session.get()).messages
  expect(chat.messages[1]?.parts).toContainEqual(
    expect.objectContaining({ type: 'data-message', id: last?.id })
  )
})

test('a call of an earlier message that is settled during a turn is reported at once', async () => {
  const { tab, model, reopenSession } = await startChatServer([
    replyCalls(paintCall),
    replyThenHold('Meanwhile'),
    replyText('Red, I see.')
  ])
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const { toolCallId } = chat.part('paint')
  const sending = chat.sendMessage({ text: 'How are you?' })
  await chat.until(() => chat.agentTexts.join().includes('Meanwhile'))
  const session = await reopenSession('s')
  await session.answer({ toolCallId }, { output: 'red' })
  await chat.until(() => chat.messages[3]!.parts.some(({ type }) => type === 'data-call-settled'))
  model.release()
  await sending
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['', 'Meanwhile|Red, I see.'])
  expect(chat.part('paint', chat.messages[1]).state).toBe('input-available')
})

test('a reported answer to an earlier call stays reported when its step is discarded', async () => {
  const settled = Promise.withResolvers<void>()
  const { tab, advanceTime, reopenSession } = await startChatServer(async (_, index) => {
    if (index === 0) return replyCalls(paintCall)
    if (index > 1) return replyText('Red, I see.')
    await settled.promise
    return replyThenError('Half a')
  })
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const { toolCallId } = chat.part('paint')
  const sending = chat.sendMessage({ text: 'How are you?' })
  const isReported = () =>
    chat.messages.some(({ parts }) => parts.some(part => part.type === 'data-call-settled'))
  const session = await reopenSession('s')
  await session.waitForEvent(event => event.type === 'chunk' && event.messageId !== chat.messages[1]?.id)
  await session.answer({ toolCallId }, { output: 'red' })
  await chat.until(isReported)
  settled.resolve()
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  await advanceTime(60)
  await sending
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['', 'Red, I see.'])
  expect(isReported()).toBe(true)
})

test('a client tool that needs approval runs on the client once it is approved', async () => {
  const { tab } = await startChatServer(
    [replyCalls({ name: 'client-info', input: {} }), replyText('UTC it is.')],
    {
      tools: [{ name: 'client-info', approval: 'ask' }]
    }
  )
  const executed: string[] = []
  const chat = tab({
    sendAutomaticallyWhen: eachAnswer(),
    onToolCall: ({ toolCall }) => void executed.push(toolCall.toolCallId)
  })
  await chat.sendMessage({ text: 'Where am I?' })
  const { toolCallId, state } = chat.part('client-info')
  expect({ state, ran: executed }).toEqual({ state: 'approval-requested', ran: [] })
  await chat.addToolApprovalResponse({ id: toolCallId, approved: true })
  await chat.answers(2)
  expect(chat.part('client-info').state).toBe('input-available')
  expect(executed).toEqual([toolCallId])
  await chat.addToolOutput({ tool: 'client-info', toolCallId, output: { timeZone: 'UTC', locale: 'en' } })
  await chat.answers(3)
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['UTC it is.'])
})

test('at its limit, the agent asks whether to continue as with any approval', async () => {
  const { tab, model } = await startChatServer([replyCalls(paintCall), replyText('Done.')], {
    limits: { stepsPerTurn: 1 }
  })
  const chat = tab({ more, sendAutomaticallyWhen: eachAnswer() })
  await chat.sendMessage({ text: 'Paint it' })
  await chat.addToolOutput({ tool: 'paint', toolCallId: chat.part('paint').toolCallId, output: 'red' })
  await chat.answers(2)
  const { toolCallId, state } = chat.part('continue')
  expect(state).toBe('approval-requested')
  expect(model.requests).toHaveLength(1)
  await chat.addToolApprovalResponse({ id: toolCallId, approved: true })
  await chat.answers(3)
  expect(chat.agentTexts).toEqual(['Done.'])
  expect(chat.error).toBeUndefined()
})

test('a message that is sent together with an earlier answer is not shown as a message of another user', async () => {
  const { tab, post, model } = await startChatServer([replyCalls(paintCall), replyText('Both.')])
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const [question, older] = chat.messages
  const parts = [{ ...chat.part('paint'), state: 'output-available', output: 'red' }]
  const nextMessage = { id: 'next', role: 'user', parts: [{ type: 'text', text: 'And hello' }] }
  const messages = [question, { ...older, parts }, nextMessage]
  const { chunks } = await post({ id: 's', messageId: older?.id, messages })
  expect(chunks.map(({ type }) => type)).not.toContain('steering-message')
  expect(chunks.map(({ type }) => type)).toContain('data-message')
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
  expect(model.requests).toHaveLength(2)
})

test('a client that considers its message complete does not post forever if nothing follows', async () => {
  const { tab, post, reopenSession } = await startChatServer([
    replyCalls(paintCall, frameCall),
    replyText('Never mind.')
  ])
  const chat = tab({ more, sendAutomaticallyWhen: () => true })
  const sending = chat.sendMessage({ text: 'Paint it' })
  await chat.until(() => chat.exchanges.length > 1)
  const session = await reopenSession('s')
  for (const name of ['paint', 'frame'])
    await session.answer(await session.waitForCall(name), { output: 'x' })
  await sending
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['Never mind.'])
  const response = await post({ id: 's', messages: chat.messages })
  expect(response.chunks.map(chunk => [chunk.type, 'finishReason' in chunk && chunk.finishReason])).toEqual([
    ['start', false],
    ['finish', 'interrupted']
  ])
})

test('a session token can chat with the scopes read and send, and answer with the scope answer', async () => {
  const { tab, ctx, url, reopenSession } = await startChatServer([replyCalls(paintCall), replyText('Red.')])
  await tab({ more }).sendMessage({ text: 'Paint it' })
  const { messages } = await (await reopenSession('s')).get()
  const tokenFor = async (scopes: ('read' | 'send' | 'answer')[]) =>
    (await createToken(ctx, { sessionId: 's', subject: 'ada', scopes, ttlSeconds: 60 })).token
  const part = {
    ...messages[1]!.parts.find(({ type }) => type === 'tool-paint'),
    state: 'output-available',
    output: 'red'
  }
  const postAnswer = async (token: string) => {
    const response = await fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({
        id: 's',
        agentId: 'test',
        messages: [messages[0], { ...messages[1], parts: [part] }]
      })
    })
    await response.text()
    return response.status
  }
  expect(await postAnswer(await tokenFor(['send', 'answer']))).toBe(403)
  expect(await postAnswer(await tokenFor(['read', 'send']))).toBe(403)
  expect((await (await reopenSession('s')).get()).session.waitingFor).toHaveLength(1)
  expect(await postAnswer(await tokenFor(['read', 'send', 'answer']))).toBe(200)
  expect(await (await reopenSession('s')).agentTexts()).toEqual(['Red.'])
})

test('docs/ai-sdk.md: the tests run every recipe of the page', () => {
  const source = readFileSync('tests/http/chat-recipes.ts', 'utf8')
  const page = readFileSync('docs/ai-sdk.md', 'utf8')
  const recipes = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code!.trim())
  expect(recipes).toHaveLength(5)
  for (const recipe of recipes) expect(source).toContain(recipe)
})

test('docs/ai-sdk.md: after a late answer, the reply is at the end, as after a reload', async () => {
  const { tab, url, authorization } = await startChatServer([
    replyCalls(paintCall),
    replyText('Meanwhile.'),
    replyText('Red, I see.')
  ])
  const shown = Promise.withResolvers<void>()
  const load = () => loadMessages(`${url}/api/sessions/s`, { authorization })
  const chat = tab({
    more,
    sendAutomaticallyWhen: eachAnswer(),
    onFinish: inOrder(load, messages => {
      chat.messages = messages
      shown.resolve()
    })
  })
  await chat.sendMessage({ text: 'Paint it' })
  const { toolCallId } = chat.part('paint')
  await chat.sendMessage({ text: 'How are you?' })
  await chat.addToolOutput({ tool: 'paint', toolCallId, output: 'red' })
  await shown.promise
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['', 'Meanwhile.', 'Red, I see.'])
  expect(chat.messages).toEqual(await load())
})

test('docs/ai-sdk.md: a turn can be stopped, and a session that does not exist has no messages', async () => {
  const { tab, url, authorization } = await startChatServer([replyThenHold('I begin')])
  expect(await loadMessages(`${url}/api/sessions/s`, { authorization })).toEqual([])
  const chat = tab()
  const sending = chat.sendMessage({ text: 'Go' })
  await chat.until(() => chat.agentTexts.join().includes('begin'))
  await stopTurn(`${url}/api/sessions/s/cancel`, { authorization })
  await sending
  expect(chat.exchanges[0]?.chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'interrupted' })
})

test('docs/ai-sdk.md: a long conversation can be posted in part without losing messages', async () => {
  const { tab, url, authorization, model } = await startChatServer([
    replyText('One.'),
    replyCalls(paintCall),
    replyText('Red.'),
    replyText('Two.')
  ])
  const chat = tab({
    sendAutomaticallyWhen: eachAnswer(),
    transport: new DefaultChatTransport({
      api: `${url}/api/chat`,
      headers: { authorization },
      body: { agentId: 'test', ...more },
      prepareSendMessagesRequest: onlyWhatMayBeNew
    })
  })
  await chat.sendMessage({ text: 'Hello' })
  await chat.sendMessage({ text: 'Paint it' })
  await chat.addToolOutput({ tool: 'paint', toolCallId: chat.part('paint').toolCallId, output: 'red' })
  await chat.until(() => chat.agentTexts.includes('Red.') && chat.status === 'ready')
  await chat.sendMessage({ text: 'More' })
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['One.', 'Red.', 'Two.'])
  expect(model.requests[3]?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(3)
})
