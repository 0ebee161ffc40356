import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { expect, test } from 'vitest'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { openTabs } from './chat-client.ts'
import { eachAnswer } from './chat-recipes.ts'

const more = {
  clientTools: ['paint', 'frame'].map(name => ({
    name,
    description: 'In the browser.',
    inputSchema: { type: 'object' }
  }))
}
const paintCall = { name: 'paint', input: { colour: 'red' } }
const frameCall = { name: 'frame', input: { wood: 'oak' } }

async function startChatServer(script: ModelScript) {
  const server = await startTestServer({ script })
  await server.saveAgent({})
  return { ...server, ...(await openTabs()) }
}

test('a tab opened during a response gets the message from its start and the rest as it streams', async () => {
  const { tab, model, reopenSession } = await startChatServer([
    replyThenHold('Once upon a time'),
    replyText('The end.')
  ])
  const first = tab()
  const sending = first.sendMessage({ text: 'Tell me' })
  await first.until(() => first.agentTexts.join().includes('time'))
  const second = tab({ messages: (await (await reopenSession('s')).get()).messages })
  const resumed = second.resumeStream()
  await second.until(() => second.status === 'streaming')
  model.release()
  await Promise.all([sending, resumed])
  const { messages } = await (await reopenSession('s')).get()
  for (const chat of [first, second]) {
    expect(chat.error).toBeUndefined()
    expect(chat.messages).toHaveLength(2)
    expect(chat.messages[1]).toMatchObject({ id: messages[1]!.id, parts: messages[1]!.parts })
  }
  expect(second.exchanges[0]?.chunks[0]).toMatchObject({ type: 'start', messageId: messages[1]!.id })
  expect(second.exchanges[0]?.raw.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('with no running turn, there is nothing to resume: 204, whether parked or done', async () => {
  const { tab, url, authorization } = await startChatServer([replyCalls(paintCall), replyText('Never mind.')])
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const resume = () => fetch(`${url}/api/chat/s/stream`, { headers: { authorization } })
  expect((await resume()).status).toBe(204)
  await chat.sendMessage({ text: 'Leave it' })
  expect((await resume()).status).toBe(204)
  const before = chat.messages
  await chat.resumeStream()
  expect(chat.status).toBe('ready')
  expect(chat.messages).toEqual(before)
  expect((await fetch(`${url}/api/chat/none/stream`, { headers: { authorization } })).status).toBe(404)
})

test('a tab that resumes after a reload shows the earlier content of the message and runs no tool twice', async () => {
  const { tab, model, reopenSession } = await startChatServer([
    replyCalls(paintCall, frameCall),
    replyThenHold('Painted'),
    replyText('No.')
  ])
  const first = tab({ more, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls })
  await first.sendMessage({ text: 'Paint it' })
  for (const tool of ['paint', 'frame'])
    await first.addToolOutput({ tool, toolCallId: first.part(tool).toolCallId, output: `${tool}ed` })
  await first.until(() => first.agentTexts.join().includes('Painted'))
  const toolCalls: string[] = []
  const second = tab({
    messages: (await (await reopenSession('s')).get()).messages,
    onToolCall: ({ toolCall }) => void toolCalls.push(toolCall.toolName)
  })
  const resumed = second.resumeStream()
  await second.until(() => second.agentTexts.join().includes('Painted') && second.status === 'streaming')
  model.release()
  await resumed
  expect(second.error).toBeUndefined()
  expect(toolCalls).toEqual([])
  expect(second.messages).toHaveLength(2)
  expect(second.agentTexts).toEqual(['Painted'])
  expect(second.part('paint')).toMatchObject({
    state: 'output-available',
    input: { colour: 'red' },
    output: 'painted'
  })
})

test('if two tabs answer one call, the first wins, and the other tab shows that answer and what followed', async () => {
  const { tab, reopenSession, model } = await startChatServer([
    replyCalls(paintCall),
    replyText('Red, then.')
  ])
  const first = tab({ more, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls })
  await first.sendMessage({ text: 'Paint it' })
  const { toolCallId } = first.part('paint')
  const { messages } = await (await reopenSession('s')).get()
  const second = tab({ messages, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls })
  await first.addToolOutput({ tool: 'paint', toolCallId, output: 'red' })
  await first.answers(2)
  await second.addToolOutput({ tool: 'paint', toolCallId, output: 'blue' })
  await second.answers(1)
  expect(second.error).toBeUndefined()
  expect(second.part('paint')).toMatchObject({ state: 'output-available', output: 'red' })
  expect(second.agentTexts).toEqual(['Red, then.'])
  expect(first.agentTexts).toEqual(['Red, then.'])
  expect(second.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
  expect(model.requests).toHaveLength(2)
})

test('if two tabs answer one call each, the last one sees both answers and the result', async () => {
  const { tab, reopenSession } = await startChatServer([
    replyCalls(paintCall, frameCall),
    replyText('A fine picture.')
  ])
  const first = tab({ more, sendAutomaticallyWhen: eachAnswer() })
  await first.sendMessage({ text: 'Paint it' })
  const { messages } = await (await reopenSession('s')).get()
  const second = tab({ messages, sendAutomaticallyWhen: eachAnswer(messages as never) })
  await first.addToolOutput({ tool: 'paint', toolCallId: first.part('paint').toolCallId, output: 'red' })
  await first.answers(2)
  await second.addToolOutput({ tool: 'frame', toolCallId: second.part('frame').toolCallId, output: 'oak' })
  await second.answers(1)
  expect(second.error).toBeUndefined()
  expect(second.agentTexts).toEqual(['A fine picture.'])
  expect(second.part('paint')).toMatchObject({ state: 'output-available', output: 'red' })
  expect(second.exchanges).toHaveLength(1)
})

test('a client that disconnects does not stop the turn', async () => {
  const { tab, model, reopenSession } = await startChatServer([replyThenHold('First')])
  const chat = tab()
  const sending = chat.sendMessage({ text: 'One' })
  await chat.until(() => chat.agentTexts.join().includes('First'))
  await chat.stop()
  await sending
  const session = await reopenSession('s')
  expect((await session.get()).session.status).toBe('running')
  const ended = session.waitForEnd()
  model.release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.agentTexts()).toEqual(['First'])
})

test('a stream that is cut off fails visibly, and resumes on another server to its end', async () => {
  const { tab, model, stopServer, startSecondServer } = await startChatServer([
    replyThenHold('First'),
    replyThenHold('First and last.')
  ])
  const chat = tab()
  const sending = chat.sendMessage({ text: 'One' })
  await chat.until(() => chat.agentTexts.join().includes('First'))
  await stopServer()
  await sending
  expect(chat.status).toBe('error')
  expect(chat.error).toBeInstanceOf(TypeError)
  await startSecondServer()
  await model.request(1)
  const resumed = chat.resumeStream()
  await chat.until(() => chat.agentTexts.join().includes('last'))
  model.release()
  await resumed
  expect(chat.error).toBeUndefined()
  expect(chat.agentTexts).toEqual(['First and last.'])
})

test('a stopped turn ends the stream cleanly and keeps its text', async () => {
  const { tab, url, authorization } = await startChatServer([replyThenHold('I begin'), replyText('Yes?')])
  const chat = tab({ sendAutomaticallyWhen: () => chat.exchanges.length > 5 })
  const sending = chat.sendMessage({ text: 'Go' })
  await chat.until(() => chat.agentTexts.join().includes('begin'))
  await fetch(`${url}/api/sessions/s/cancel`, { method: 'POST', headers: { authorization } })
  await sending
  expect(chat.status).toBe('ready')
  expect(chat.agentTexts).toEqual(['I begin'])
  expect(chat.exchanges[0]?.chunks.slice(-2)).toEqual([
    { type: 'abort', reason: 'cancelled' },
    { type: 'finish', finishReason: 'interrupted' }
  ])
  await chat.sendMessage({ text: 'Again' })
  expect(chat.agentTexts).toEqual(['I begin', 'Yes?'])
})
