import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { expect, test } from 'vitest'
import { calls, holds, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { testWorld } from '#tests/support/worlds/world.ts'
import { openTabs } from './chat-client.ts'
import { eachAnswer } from './chat-recipes.ts'

const more = {
  clientTools: ['paint', 'frame'].map(name => ({
    name,
    description: 'In the browser.',
    inputSchema: { type: 'object' }
  }))
}
const painting = { name: 'paint', input: { colour: 'red' } }
const framing = { name: 'frame', input: { wood: 'oak' } }

async function world(script: ModelScript) {
  const made = await testWorld({ script })
  await made.agent({})
  return { ...made, ...(await openTabs()) }
}

test('a tab that is opened while the agent speaks gets the message from its start, and the rest as it comes', async () => {
  const { tab, model, reopen } = await world([holds('Once upon a time'), says('The end.')])
  const one = tab()
  const talking = one.sendMessage({ text: 'Tell me' })
  await one.until(() => one.said.join().includes('time'))
  const two = tab({ messages: (await (await reopen('s')).get()).messages })
  const resumed = two.resumeStream()
  await two.until(() => two.status === 'streaming')
  model.release()
  await Promise.all([talking, resumed])
  const { messages } = await (await reopen('s')).get()
  for (const chat of [one, two]) {
    expect(chat.error).toBeUndefined()
    expect(chat.messages).toHaveLength(2)
    expect(chat.messages[1]).toMatchObject({ id: messages[1]!.id, parts: messages[1]!.parts })
  }
  expect(two.exchanges[0]?.chunks[0]).toMatchObject({ type: 'start', messageId: messages[1]!.id })
  expect(two.exchanges[0]?.raw.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('when nothing runs there is nothing to resume: 204, parked or done', async () => {
  const { tab, url, authorization } = await world([calls(painting), says('Never mind.')])
  const chat = tab({ more })
  await chat.sendMessage({ text: 'Paint it' })
  const look = () => fetch(`${url}/api/chat/s/stream`, { headers: { authorization } })
  expect((await look()).status).toBe(204)
  await chat.sendMessage({ text: 'Leave it' })
  expect((await look()).status).toBe(204)
  const before = chat.messages
  await chat.resumeStream()
  expect(chat.status).toBe('ready')
  expect(chat.messages).toEqual(before)
  expect((await fetch(`${url}/api/chat/none/stream`, { headers: { authorization } })).status).toBe(404)
})

test('a tab that goes on after a reload shows what the message had before, and runs no tool twice', async () => {
  const { tab, model, reopen } = await world([calls(painting, framing), holds('Painted'), says('No.')])
  const one = tab({ more, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls })
  await one.sendMessage({ text: 'Paint it' })
  for (const tool of ['paint', 'frame'])
    await one.addToolOutput({ tool, toolCallId: one.part(tool).toolCallId, output: `${tool}ed` })
  await one.until(() => one.said.join().includes('Painted'))
  const ran: string[] = []
  const two = tab({
    messages: (await (await reopen('s')).get()).messages,
    onToolCall: ({ toolCall }) => void ran.push(toolCall.toolName)
  })
  const resumed = two.resumeStream()
  await two.until(() => two.said.join().includes('Painted') && two.status === 'streaming')
  model.release()
  await resumed
  expect(two.error).toBeUndefined()
  expect(ran).toEqual([])
  expect(two.messages).toHaveLength(2)
  expect(two.said).toEqual(['Painted'])
  expect(two.part('paint')).toMatchObject({
    state: 'output-available',
    input: { colour: 'red' },
    output: 'painted'
  })
})

test('two tabs answer one call: the first wins, and the other one shows what won and how it went on', async () => {
  const { tab, reopen, model } = await world([calls(painting), says('Red, then.')])
  const one = tab({ more, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls })
  await one.sendMessage({ text: 'Paint it' })
  const { toolCallId } = one.part('paint')
  const { messages } = await (await reopen('s')).get()
  const two = tab({ messages, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls })
  await one.addToolOutput({ tool: 'paint', toolCallId, output: 'red' })
  await one.answers(2)
  await two.addToolOutput({ tool: 'paint', toolCallId, output: 'blue' })
  await two.answers(1)
  expect(two.error).toBeUndefined()
  expect(two.part('paint')).toMatchObject({ state: 'output-available', output: 'red' })
  expect(two.said).toEqual(['Red, then.'])
  expect(one.said).toEqual(['Red, then.'])
  expect(two.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
  expect(model.requests).toHaveLength(2)
})

test('two tabs answer a call each: whoever is last sees both answers and what comes of them', async () => {
  const { tab, reopen } = await world([calls(painting, framing), says('A fine picture.')])
  const one = tab({ more, sendAutomaticallyWhen: eachAnswer() })
  await one.sendMessage({ text: 'Paint it' })
  const { messages } = await (await reopen('s')).get()
  const two = tab({ messages, sendAutomaticallyWhen: eachAnswer(messages as never) })
  await one.addToolOutput({ tool: 'paint', toolCallId: one.part('paint').toolCallId, output: 'red' })
  await one.answers(2)
  await two.addToolOutput({ tool: 'frame', toolCallId: two.part('frame').toolCallId, output: 'oak' })
  await two.answers(1)
  expect(two.error).toBeUndefined()
  expect(two.said).toEqual(['A fine picture.'])
  expect(two.part('paint')).toMatchObject({ state: 'output-available', output: 'red' })
  expect(two.exchanges).toHaveLength(1)
})

test('a client that leaves stops nothing: the turn goes on to its end', async () => {
  const { tab, model, reopen } = await world([holds('First')])
  const chat = tab()
  const left = chat.sendMessage({ text: 'One' })
  await chat.until(() => chat.said.join().includes('First'))
  await chat.stop()
  await left
  const session = await reopen('s')
  expect((await session.get()).session.status).toBe('running')
  const ended = session.ends()
  model.release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.said()).toEqual(['First'])
})

test('a stream that is cut off breaks, so that the client knows, and resumes elsewhere to the end', async () => {
  const { tab, model, leave, second } = await world([holds('First'), holds('First and last.')])
  const chat = tab()
  const talking = chat.sendMessage({ text: 'One' })
  await chat.until(() => chat.said.join().includes('First'))
  await leave()
  await talking
  expect(chat.status).toBe('error')
  expect(chat.error).toBeInstanceOf(TypeError)
  await second()
  await model.request(1)
  const resumed = chat.resumeStream()
  await chat.until(() => chat.said.join().includes('last'))
  model.release()
  await resumed
  expect(chat.error).toBeUndefined()
  expect(chat.said).toEqual(['First and last.'])
})

test('a turn that is stopped ends the stream in good order, with what was said', async () => {
  const { tab, url, authorization } = await world([holds('I begin'), says('Yes?')])
  const chat = tab({ sendAutomaticallyWhen: () => chat.exchanges.length > 5 })
  const talking = chat.sendMessage({ text: 'Go' })
  await chat.until(() => chat.said.join().includes('begin'))
  await fetch(`${url}/api/sessions/s/cancel`, { method: 'POST', headers: { authorization } })
  await talking
  expect(chat.status).toBe('ready')
  expect(chat.said).toEqual(['I begin'])
  expect(chat.exchanges[0]?.chunks.slice(-2)).toEqual([
    { type: 'abort', reason: 'cancelled' },
    { type: 'finish', finishReason: 'interrupted' }
  ])
  await chat.sendMessage({ text: 'Again' })
  expect(chat.said).toEqual(['I begin', 'Yes?'])
})
