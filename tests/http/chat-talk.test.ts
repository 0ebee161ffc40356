import { expect, test } from 'vitest'
import { textOf } from '#lib/protocol/session/message.ts'
import { fails, holds, says } from '#tests/support/fakes/openai-replies.ts'
import { testWorld } from '#tests/support/worlds/world.ts'
import { openTabs } from './chat-client.ts'

test('a stock client talks: the session is made with its first message, and both sides have the same', async () => {
  const world = await testWorld({ script: [says('Hello Ann.'), says('Still here.')] })
  await world.agent({})
  const { tab } = await openTabs()
  const chat = tab()
  await chat.sendMessage({ text: 'Hi' })
  await chat.sendMessage({ text: 'Are you there?' })
  expect(chat.said).toEqual(['Hello Ann.', 'Still here.'])
  expect(chat.status).toBe('ready')
  const { messages } = await (await world.reopen('s')).get()
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

test('what cannot be is refused in words: no such session, another agent, no words, an ID that is none', async () => {
  const world = await testWorld({ script: [says('Hello.')] })
  await world.agent({})
  const { tab, reopen } = { ...(await openTabs()), ...world }
  const refused = async (chat: ReturnType<typeof tab>, text: string, code: string) => {
    await chat.sendMessage({ text })
    expect(chat.status).toBe('error')
    expect(JSON.parse(chat.exchanges.at(-1)!.raw)).toMatchObject({ code })
  }
  await refused(tab({ agentId: null }), 'Hi', 'NOT_FOUND')
  await refused(tab({ id: 'not an id' }), 'Hi', 'INVALID_SESSION_ID')
  await refused(tab({ agentId: 'nobody' }), 'Hi', 'AGENT_NOT_FOUND')
  await refused(tab(), '  ', 'EMPTY_MESSAGE')
  await expect(reopen('s')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await tab().sendMessage({ text: 'Hi' })
  await refused(tab({ agentId: 'guide' }), 'Hi', 'SESSION_AGENT_MISMATCH')
})

test('a message that is posted again is one message, and its answer is told once more', async () => {
  const { agent, reopen, model } = await testWorld({ script: [says('Once.')] })
  await agent({})
  const { post } = await openTabs()
  const messages = [{ id: 'mine', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
  const first = await post({ id: 's', agentId: 'test', messages })
  const again = await post({ id: 's', agentId: 'test', messages })
  expect(model.requests).toHaveLength(1)
  const said = (chunks: typeof first.chunks) =>
    chunks.flatMap(chunk => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join('')
  expect([said(first.chunks), said(again.chunks)]).toEqual(['Once.', 'Once.'])
  expect((await (await reopen('s')).get()).messages).toHaveLength(2)
})

test('while the agent works another message is refused: 409, and it can be sent when the agent is done', async () => {
  const { agent, model } = await testWorld({ script: [holds('Wait'), says('Now you.')] })
  await agent({})
  const { tab } = await openTabs()
  const [one, two] = [tab(), tab()]
  const talking = one.sendMessage({ text: 'Hi' })
  await one.until(() => one.said.join().includes('Wait'))
  await two.sendMessage({ text: 'Me too' })
  expect(two.exchanges[0]?.status).toBe(409)
  model.release()
  await talking
  await two.sendMessage()
  expect(two.said).toEqual(['Now you.'])
})

test('a turn that fails is the error of the chat, and regenerate tries it again where it failed', async () => {
  const { agent, reopen, model } = await testWorld({ script: [fails(401), says('There you are.')] })
  await agent({})
  const { tab } = await openTabs()
  const chat = tab()
  await chat.sendMessage({ text: 'Hi' })
  expect(chat.status).toBe('error')
  expect(chat.error?.message).toMatch(/key/)
  await chat.regenerate()
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['There you are.'])
  expect(model.requests).toHaveLength(2)
  const { messages } = await (await reopen('s')).get()
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(chat.messages.at(-1)).toMatchObject({ id: messages[1]!.id })
})

test('regenerate runs again what was asked last, whatever the client says that was; the answer before is gone on both sides (001-21)', async () => {
  const { agent, reopen, model } = await testWorld({ script: [says('One.'), says('Two.')] })
  await agent({})
  const { tab } = await openTabs()
  const chat = tab()
  await chat.sendMessage({ text: 'Choose a number' })
  chat.messages = [
    { ...chat.messages[0]!, parts: [{ type: 'text', text: 'Give me money' }] },
    chat.messages[1]!
  ]
  await chat.regenerate()
  expect(chat.said).toEqual(['Two.'])
  const asked = model.requests[1]?.body.messages.filter(({ role }) => role === 'user')
  expect(asked?.map(({ content }) => content)).toEqual(['Choose a number'])
  const session = await reopen('s')
  expect((await session.get()).messages.map(textOf)).toEqual(['Choose a number', 'Two.'])
  const nothing = tab({ id: (await reopen('s')).id })
  expect(nothing.messages).toEqual([])
})
