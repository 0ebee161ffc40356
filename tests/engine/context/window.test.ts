import { expect, test } from 'vitest'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const budget = 10_000
const question = { name: 'ask-question', input: { question: 'Tea?' } }
/** A message of exactly a thousand tokens by the heuristic of 001-17. It starts with its number. */
const longMessage = (n: number) => `Message ${n}. `.padEnd(4000, 'x')

type Message = ModelRequest['body']['messages'][number]
const textOf = ({ content }: Message) => (typeof content === 'string' ? content : JSON.stringify(content))
/** Returns the prompt of a request without the agent’s instructions. */
const promptOf = ({ body }: ModelRequest) => body.messages.filter(({ role }) => role !== 'system')
const isSummary = (message: Message | undefined) =>
  message !== undefined && textOf(message).includes('<earlier_conversation>')
/** Returns the window of a prompt: everything but the summary. */
const windowOf = (request: ModelRequest) => promptOf(request).filter(message => !isSummary(message))
const numbersOf = (request: ModelRequest) =>
  windowOf(request)
    .flatMap(message => /Message (\d+)\./.exec(textOf(message))?.[1] ?? [])
    .map(Number)
const size = (message: Message) =>
  message.role === 'assistant'
    ? countTokens(JSON.stringify([{ type: 'text', text: textOf(message) }]))
    : countTokens(textOf(message))
const sizeOf = (request: ModelRequest) => windowOf(request).reduce((sum, message) => sum + size(message), 0)
/** Returns what each prompt contains outside the window: instructions, tools and the summary, if any. */
const outsideWindow = ({ body }: ModelRequest) =>
  [
    ...body.messages.filter(message => message.role === 'system' || isSummary(message)).map(textOf),
    ...((body.tools ?? []) as { function: object }[]).map(tool => JSON.stringify(tool.function))
  ].reduce((sum, text) => sum + countTokens(text), 0)
const startsWith = (request: ModelRequest, before: ModelRequest) =>
  JSON.stringify(promptOf(request).slice(0, promptOf(before).length)) === JSON.stringify(promptOf(before))

async function longConversation(script: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(script)
  await server.saveAgent({
    chat: {
      tools: [{ name: 'ask-question' }],
      compaction: 'words',
      limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: budget }
    }
  })
  return { ...server, session: await server.startSession('test') }
}

test('a prompt over 80 % of its budget hops to 50 % at once: it starts at a message, with a summary of what is left out', async () => {
  const { sql, model, session } = await longConversation({
    script: (_, index) => replyText(`Answer ${index}.`)
  })
  for (let n = 0; n < 20; n++) await session.runTurn(longMessage(n))

  const hopIndexes: number[] = []
  for (const [k, request] of model.requests.entries()) {
    const before = model.requests[k - 1]
    if (before === undefined || startsWith(request, before)) continue
    hopIndexes.push(k)
    // With the new message it exceeds 80 % for the first time since the last hop.
    const answer = size({ role: 'assistant', content: `Answer ${k - 1}.` })
    const fixedSize = outsideWindow(before)
    expect(fixedSize).toBeGreaterThan(400)
    expect(fixedSize + sizeOf(before)).toBeLessThanOrEqual(0.8 * budget)
    expect(fixedSize + sizeOf(before) + answer + 1000).toBeGreaterThan(0.8 * budget)
    // It uses at most half of the budget, and no less than necessary.
    expect(fixedSize + sizeOf(request)).toBeLessThanOrEqual(0.5 * budget)
    expect(fixedSize + sizeOf(request) + answer + 1000).toBeGreaterThan(0.5 * budget)
    // At the border of a step the window starts with a user message. A summary of the earlier messages precedes
    // it.
    const [summary, first] = promptOf(request)
    expect(isSummary(summary)).toBe(true)
    expect(first?.role).toBe('user')
    const [oldest = 0] = numbersOf(request)
    for (let n = 0; n < oldest; n++) expect(textOf(summary as Message)).toContain(`Message ${n}.`)
    expect(textOf(summary as Message)).not.toContain(`Message ${oldest}.`)
  }
  expect(hopIndexes.length).toBeGreaterThanOrEqual(2)
  // Hops are large, so that provider caches stay warm between them.
  for (const [i, k] of hopIndexes.entries()) expect(k - (hopIndexes[i - 1] ?? 0)).toBeGreaterThanOrEqual(3)
  await expectValidSessions(sql)
})

test('the window never hops past an open call, however long the conversation is; after its late answer is delivered, it does', async () => {
  const { sql, model, session } = await longConversation({
    script: ({ body }, index) =>
      textOf(body.messages.at(-1) as Message).includes('Message 3.')
        ? replyCalls(question)
        : replyText(`Answer ${index}.`)
  })
  for (let n = 0; n < 4; n++) await session.runTurn(longMessage(n))
  const call = await session.waitForCall('ask-question')
  for (let n = 4; n < 14; n++) await session.runTurn(longMessage(n))
  const requestsWhileOpen = model.requests.slice(4)
  for (const request of requestsWhileOpen)
    expect(JSON.stringify(promptOf(request))).toContain(call.toolCallId)
  // Messages before the one with the question leave; then the prompt exceeds its budget and stays stable.
  const last = requestsWhileOpen.at(-1) as ModelRequest
  expect(numbersOf(last)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  expect(sizeOf(last)).toBeGreaterThan(budget)
  expect(
    requestsWhileOpen.filter(
      (request, k) => k > 0 && !startsWith(request, requestsWhileOpen[k - 1] as ModelRequest)
    )
  ).toHaveLength(1)

  const turnEnd = session.waitForEnd()
  await session.answer(call, { output: { answer: 'tea' } })
  await turnEnd
  // The model that receives the answer also sees its question.
  const lateRequest = model.requests.at(-1) as ModelRequest
  expect(startsWith(lateRequest, last)).toBe(true)
  expect(textOf(promptOf(lateRequest).at(-1) as Message)).toMatch(/call_answer.*tea/s)
  await session.runTurn(longMessage(14))
  const nextRequest = model.requests.at(-1) as ModelRequest
  expect(sizeOf(nextRequest)).toBeLessThanOrEqual(0.5 * budget)
  expect(windowOf(nextRequest).map(textOf).join()).not.toContain('Message 3.')
  expect(textOf(promptOf(nextRequest)[0] as Message)).toContain('Message 3.')
  await expectValidSessions(sql)
})

test('a turn of many steps keeps its message, and each prompt starts with the previous one, even over budget', async () => {
  const { model, session } = await longConversation({
    script: (_, index) =>
      index < 12
        ? { ...replyCalls({ name: 'nothing', input: { why: 'y'.repeat(4000) } }) }
        : replyText('At last.')
  })
  expect(await session.runTurn(longMessage(0))).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(13)
  for (const [k, request] of model.requests.entries()) {
    expect(numbersOf(request)).toEqual([0])
    if (k > 0) expect(startsWith(request, model.requests[k - 1] as ModelRequest)).toBe(true)
  }
  // The newest exchange stays with the message that follows it, and leaves with the next one.
  await session.runTurn(longMessage(1))
  expect(numbersOf(model.requests.at(-1) as ModelRequest)).toEqual([0, 1])
  await session.runTurn(longMessage(2))
  expect(numbersOf(model.requests.at(-1) as ModelRequest)).toEqual([1, 2])
})

test('a worker that takes over the session shows its model the same window', async () => {
  const { model, stopServer, startSecondServer, reopenSession, session } = await longConversation({
    script: (_, index) => replyText(`Answer ${index}.`)
  })
  for (let n = 0; n < 9; n++) await session.runTurn(longMessage(n))
  const before = model.requests.at(-1) as ModelRequest
  expect(isSummary(promptOf(before)[0])).toBe(true)
  await stopServer()
  const reopened = await reopenSession(session.id, (await startSecondServer()).ctx)
  await reopened.runTurn(longMessage(9))
  expect(startsWith(model.requests.at(-1) as ModelRequest, before)).toBe(true)
})

test('results of tools count for the window as they do for the prompt, whichever client answered them', async () => {
  const externalServer = await startExternalSystem(response => void response.end('z'.repeat(24_000)))
  const server = await startTestServer({
    script: ({ body }, index) => {
      const lastText = textOf(body.messages.at(-1) as Message)
      if (lastText.includes('Message 1.'))
        return replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/long` } })
      if (lastText.includes('Message 3.')) return replyCalls(question)
      return replyText(`Answer ${index}.`)
    },
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({
    chat: {
      tools: [{ name: 'web-fetch' }, { name: 'ask-question' }],
      compaction: 'words',
      limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: budget }
    }
  })
  const session = await server.startSession('test')
  for (let n = 0; n < 3; n++) await session.runTurn(longMessage(n))
  // Three messages and a page of 6,000 tokens exceed 80 %. The newest exchange stays.
  expect(numbersOf(server.model.requests.at(-1) as ModelRequest)).toEqual([1, 2])
  await session.runTurn(longMessage(3))
  expect(numbersOf(server.model.requests.at(-1) as ModelRequest)).toEqual([2, 3])
  const ended = session.waitForEnd()
  await session.answer(await session.waitForCall('ask-question'), { output: { answer: 'w'.repeat(19_000) } })
  await ended
  await session.runTurn(longMessage(4))
  expect(numbersOf(server.model.requests.at(-1) as ModelRequest)).toEqual([3, 4])
})
