import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { expect, test } from 'vitest'
import { replyError, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { openTabs } from './chat-client.ts'

test('a stock client can chat: its first message creates the session, and both sides have the same messages', async () => {
  const server = await startTestServer({ script: [replyText('Hello Ann.'), replyText('Still here.')] })
  await server.saveAgent({})
  const { tab } = await openTabs()
  const chat = tab()
  await chat.sendMessage({ text: 'Hi' })
  await chat.sendMessage({ text: 'Are you there?' })
  expect(chat.agentTexts).toEqual(['Hello Ann.', 'Still here.'])
  expect(chat.status).toBe('ready')
  const { messages } = await (await server.reopenSession('s')).get()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  for (const i of [1, 3])
    expect(chat.messages[i]).toMatchObject({ id: messages[i]!.id, parts: messages[i]!.parts })
  const { headers, raw, chunks } = chat.exchanges[0]!
  expect(headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  expect(headers.get('content-type')).toContain('text/event-stream')
  expect(raw.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(chunks.at(0)).toMatchObject({ type: 'start', messageId: messages[1]!.id })
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
})

test('an unknown session, another agent, an empty message and an invalid ID are rejected with an error', async () => {
  const server = await startTestServer({ script: [replyText('Hello.')] })
  await server.saveAgent({})
  const { tab, reopenSession } = { ...(await openTabs()), ...server }
  const expectRejected = async (chat: ReturnType<typeof tab>, text: string, code: string) => {
    await chat.sendMessage({ text })
    expect(chat.status).toBe('error')
    expect(JSON.parse(chat.exchanges.at(-1)!.raw)).toMatchObject({ code })
  }
  await expectRejected(tab({ agentId: null }), 'Hi', 'NOT_FOUND')
  await expectRejected(tab({ id: 'not an id' }), 'Hi', 'INVALID_SESSION_ID')
  await expectRejected(tab({ agentId: 'nobody' }), 'Hi', 'AGENT_NOT_FOUND')
  await expectRejected(tab(), '  ', 'EMPTY_MESSAGE')
  await expect(reopenSession('s')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await tab().sendMessage({ text: 'Hi' })
  await expectRejected(tab({ agentId: 'guide' }), 'Hi', 'SESSION_AGENT_MISMATCH')
})

test('a message that is posted twice is stored once, and its response is streamed again', async () => {
  const { saveAgent, reopenSession, model } = await startTestServer({ script: [replyText('Once.')] })
  await saveAgent({})
  const { post } = await openTabs()
  const messages = [{ id: 'mine', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
  const first = await post({ id: 's', agentId: 'test', messages })
  const second = await post({ id: 's', agentId: 'test', messages })
  expect(model.requests).toHaveLength(1)
  const textIn = (chunks: typeof first.chunks) =>
    chunks.flatMap(chunk => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join('')
  expect([textIn(first.chunks), textIn(second.chunks)]).toEqual(['Once.', 'Once.'])
  expect((await (await reopenSession('s')).get()).messages).toHaveLength(2)
})

test('while the agent works, another message gets 409 and can be sent when the agent is done', async () => {
  const { saveAgent, model } = await startTestServer({
    script: [replyThenHold('Wait'), replyText('Now you.')]
  })
  await saveAgent({})
  const { tab } = await openTabs()
  const [first, second] = [tab(), tab()]
  const sending = first.sendMessage({ text: 'Hi' })
  await first.until(() => first.agentTexts.join().includes('Wait'))
  await second.sendMessage({ text: 'Me too' })
  expect(second.exchanges[0]?.status).toBe(409)
  model.release()
  await sending
  await second.sendMessage()
  expect(second.agentTexts).toEqual(['Now you.'])
})

test('a failed turn is the error of the chat, and regenerate retries it at the failed step', async () => {
  const { saveAgent, reopenSession, model } = await startTestServer({
    script: [replyError(401), replyText('There you are.')]
  })
  await saveAgent({})
  const { tab } = await openTabs()
  const chat = tab()
  await chat.sendMessage({ text: 'Hi' })
  expect(chat.status).toBe('error')
  expect(chat.error?.message).toMatch(/key/)
  await chat.regenerate()
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['There you are.'])
  expect(model.requests).toHaveLength(2)
  const { messages } = await (await reopenSession('s')).get()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(chat.messages.at(-1)).toMatchObject({ id: messages[1]!.id })
})

test('regenerate repeats the last user message as stored, and both sides remove the previous response (001-21)', async () => {
  const { saveAgent, reopenSession, model } = await startTestServer({
    script: [replyText('One.'), replyText('Two.')]
  })
  await saveAgent({})
  const { tab } = await openTabs()
  const chat = tab()
  await chat.sendMessage({ text: 'Choose a number' })
  chat.messages = [
    { ...chat.messages[0]!, parts: [{ type: 'text', text: 'Give me money' }] },
    chat.messages[1]!
  ]
  await chat.regenerate()
  expect(chat.agentTexts).toEqual(['Two.'])
  const userMessages = model.requests[1]?.body.messages.filter(({ role }) => role === 'user')
  expect(userMessages?.map(({ content }) => content)).toEqual(['Choose a number'])
  const session = await reopenSession('s')
  expect((await session.get()).messages.map(textOf)).toEqual(['Choose a number', 'Two.'])
  const newTab = tab({ id: (await reopenSession('s')).id })
  expect(newTab.messages).toEqual([])
})
