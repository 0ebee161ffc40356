import { readFileSync } from 'node:fs'
import { DefaultChatTransport } from 'ai'
import { expect, test } from 'vitest'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { breaks, calls, holds, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { testWorld } from '#tests/support/worlds/world.ts'
import { openTabs } from './chat-client.ts'
import { eachAnswer, inOrder, loadMessages, onlyWhatMayBeNew, stopTurn } from './chat-recipes.ts'

const more = {
  clientTools: ['paint', 'frame'].map(name => ({
    name,
    description: 'In the browser.',
    inputSchema: { type: 'object' }
  }))
}
const painting = { name: 'paint', input: { colour: 'red' } }
const framing = { name: 'frame', input: { wood: 'oak' } }

async function world(script: ModelScript, chat: object = {}) {
  const made = await testWorld({ script })
  await made.agent({ chat })
  return { ...made, ...(await openTabs()) }
}

test('a step that is tried again is taken back and said anew, in one stream', async () => {
  const { tab, pass, reopen } = await world([breaks('Half a'), says('A whole answer.')])
  const chat = tab()
  const talking = chat.sendMessage({ text: 'Hi' })
  await chat.until(() => chat.said.join().includes('Half'))
  const session = await reopen('s')
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  await pass(60)
  await talking
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['A whole answer.'])
  expect(chat.exchanges).toHaveLength(1)
})

test('what somebody else says while the agent works is shown where it was taken in', async () => {
  const { tab, model, reopen } = await world([holds('Working'), says('Blue, then.')])
  const chat = tab()
  const talking = chat.sendMessage({ text: 'Paint it red' })
  await chat.until(() => chat.said.join().includes('Working'))
  const session = await reopen('s')
  await session.send('No, blue', { whenBusy: 'steer' })
  model.release()
  await talking
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['Working|Blue, then.'])
  const steering = chat.messages[1]?.parts.find(({ type }) => type === 'steering-message')
  expect(steering).toMatchObject({ parts: [{ type: 'text', text: 'No, blue' }] })
  const [, , , last] = (await session.get()).messages
  expect(chat.messages[1]?.parts).toContainEqual(
    expect.objectContaining({ type: 'data-message', id: last?.id })
  )
})

test('a call of an earlier message that somebody settles while the agent speaks is told there and then', async () => {
  const { tab, model, reopen } = await world([calls(painting), holds('Meanwhile'), says('Red, I see.')])
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const { toolCallId } = chat.part('paint')
  const talking = chat.sendMessage({ text: 'How are you?' })
  await chat.until(() => chat.said.join().includes('Meanwhile'))
  const session = await reopen('s')
  await session.answer({ toolCallId }, { output: 'red' })
  await chat.until(() => chat.messages[3]!.parts.some(({ type }) => type === 'data-call-settled'))
  model.release()
  await talking
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['', 'Meanwhile|Red, I see.'])
  expect(chat.part('paint', chat.messages[1]).state).toBe('input-available')
})

test('what was told of an earlier call stays told when the step it was told in is taken back', async () => {
  const gate = Promise.withResolvers<void>()
  const { tab, pass, reopen } = await world(async (_, index) => {
    if (index === 0) return calls(painting)
    if (index > 1) return says('Red, I see.')
    await gate.promise
    return breaks('Half a')
  })
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const { toolCallId } = chat.part('paint')
  const talking = chat.sendMessage({ text: 'How are you?' })
  const isTold = () =>
    chat.messages.some(({ parts }) => parts.some(part => part.type === 'data-call-settled'))
  const session = await reopen('s')
  await session.sees(event => event.type === 'chunk' && event.messageId !== chat.messages[1]?.id)
  await session.answer({ toolCallId }, { output: 'red' })
  await chat.until(isTold)
  gate.resolve()
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  await pass(60)
  await talking
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['', 'Red, I see.'])
  expect(isTold()).toBe(true)
})

test('a tool that is approved first and done by the client after is asked for when it is approved', async () => {
  const { tab } = await world([calls({ name: 'client-info', input: {} }), says('UTC it is.')], {
    tools: [{ name: 'client-info', approval: 'ask' }]
  })
  const ran: string[] = []
  const chat = tab({
    sendAutomaticallyWhen: eachAnswer(),
    onToolCall: ({ toolCall }) => void ran.push(toolCall.toolCallId)
  })
  await chat.sendMessage({ text: 'Where am I?' })
  const { toolCallId, state } = chat.part('client-info')
  expect({ state, ran }).toEqual({ state: 'approval-requested', ran: [] })
  await chat.addToolApprovalResponse({ id: toolCallId, approved: true })
  await chat.answers(2)
  expect(chat.part('client-info').state).toBe('input-available')
  expect(ran).toEqual([toolCallId])
  await chat.addToolOutput({ tool: 'client-info', toolCallId, output: { timeZone: 'UTC', locale: 'en' } })
  await chat.answers(3)
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['UTC it is.'])
})

test('at its limit the agent asks whether to go on, as any approval', async () => {
  const { tab, model } = await world([calls(painting), says('Done.')], { limits: { stepsPerTurn: 1 } })
  const chat = tab({ more, sendAutomaticallyWhen: eachAnswer() })
  await chat.sendMessage({ text: 'Paint it' })
  await chat.addToolOutput({ tool: 'paint', toolCallId: chat.part('paint').toolCallId, output: 'red' })
  await chat.answers(2)
  const { toolCallId, state } = chat.part('continue')
  expect(state).toBe('approval-requested')
  expect(model.requests).toHaveLength(1)
  await chat.addToolApprovalResponse({ id: toolCallId, approved: true })
  await chat.answers(3)
  expect(chat.said).toEqual(['Done.'])
  expect(chat.error).toBeUndefined()
})

test('a message that goes along with the answer to an earlier one is not shown as somebody else\u2019s', async () => {
  const { tab, post, model } = await world([calls(painting), says('Both.')])
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const [asked, older] = chat.messages
  const parts = [{ ...chat.part('paint'), state: 'output-available', output: 'red' }]
  const next = { id: 'next', role: 'user', parts: [{ type: 'text', text: 'And hello' }] }
  const messages = [asked, { ...older, parts }, next]
  const { chunks } = await post({ id: 's', messageId: older?.id, messages })
  expect(chunks.map(({ type }) => type)).not.toContain('steering-message')
  expect(chunks.map(({ type }) => type)).toContain('data-message')
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
  expect(model.requests).toHaveLength(2)
})

test('a client that finds its message complete although nothing comes of it does not post for ever', async () => {
  const { tab, post, reopen } = await world([calls(painting, framing), says('Never mind.')])
  const chat = tab({ more, sendAutomaticallyWhen: () => true })
  const sent = chat.sendMessage({ text: 'Paint it' })
  await chat.until(() => chat.exchanges.length > 1)
  const session = await reopen('s')
  for (const name of ['paint', 'frame']) await session.answer(await session.waitsFor(name), { output: 'x' })
  await sent
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['Never mind.'])
  const idle = await post({ id: 's', messages: chat.messages })
  expect(idle.chunks.map(chunk => [chunk.type, 'finishReason' in chunk && chunk.finishReason])).toEqual([
    ['start', false],
    ['finish', 'interrupted']
  ])
})

test('a session token talks with read and send, and answers with answer', async () => {
  const { tab, ctx, url, reopen } = await world([calls(painting), says('Red.')])
  await tab({ more }).sendMessage({ text: 'Paint it' })
  const { messages } = await (await reopen('s')).get()
  const tokenFor = async (scopes: ('read' | 'send' | 'answer')[]) =>
    (await createToken(ctx, { sessionId: 's', subject: 'ada', scopes, ttlSeconds: 60 })).token
  const part = {
    ...messages[1]!.parts.find(({ type }) => type === 'tool-paint'),
    state: 'output-available',
    output: 'red'
  }
  const answer = async (token: string) => {
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
  expect(await answer(await tokenFor(['send', 'answer']))).toBe(403)
  expect(await answer(await tokenFor(['read', 'send']))).toBe(403)
  expect((await (await reopen('s')).get()).session.waitingFor).toHaveLength(1)
  expect(await answer(await tokenFor(['read', 'send', 'answer']))).toBe(200)
  expect(await (await reopen('s')).said()).toEqual(['Red.'])
})

test('docs/ai-sdk.md: every recipe on the page is the code that is run here', () => {
  const run = readFileSync('tests/http/chat-recipes.ts', 'utf8')
  const page = readFileSync('docs/ai-sdk.md', 'utf8')
  const recipes = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code!.trim())
  expect(recipes).toHaveLength(5)
  for (const recipe of recipes) expect(run).toContain(recipe)
})

test('docs/ai-sdk.md: after a late answer the reply stands at the end, as a reload would show it', async () => {
  const { tab, url, authorization } = await world([calls(painting), says('Meanwhile.'), says('Red, I see.')])
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
  expect(chat.said).toEqual(['', 'Meanwhile.', 'Red, I see.'])
  expect(chat.messages).toEqual(await load())
})

test('docs/ai-sdk.md: a turn is stopped, and a session that is not there yet has no messages', async () => {
  const { tab, url, authorization } = await world([holds('I begin')])
  expect(await loadMessages(`${url}/api/sessions/s`, { authorization })).toEqual([])
  const chat = tab()
  const talking = chat.sendMessage({ text: 'Go' })
  await chat.until(() => chat.said.join().includes('begin'))
  await stopTurn(`${url}/api/sessions/s/cancel`, { authorization })
  await talking
  expect(chat.exchanges[0]?.chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'interrupted' })
})

test('docs/ai-sdk.md: a long conversation is posted in part, and nothing is missing', async () => {
  const { tab, url, authorization, model } = await world([
    says('One.'),
    calls(painting),
    says('Red.'),
    says('Two.')
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
  await chat.until(() => chat.said.includes('Red.') && chat.status === 'ready')
  await chat.sendMessage({ text: 'More' })
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['One.', 'Red.', 'Two.'])
  expect(model.requests[3]?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(3)
})
