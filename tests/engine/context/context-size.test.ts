import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { ContextView } from '@waystation/protocol/session/context.ts'
import { expect, test } from 'vitest'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const budget = 10_000
const question = { name: 'ask-question', input: { question: 'Tea?' } }
/** A message of exactly a thousand tokens by the heuristic. It starts with its number. */
const longMessage = (n: number) => `Message ${n}. `.padEnd(4000, 'x')

type Message = ModelRequest['body']['messages'][number]
const textOf = ({ content }: Message) => (typeof content === 'string' ? content : JSON.stringify(content))
const last = ({ body }: ModelRequest) => textOf(body.messages.at(-1) as Message)
/** Estimates the tokens of a request by the heuristic: its messages and its tools. */
const sizeOf = ({ body }: ModelRequest) =>
  [
    ...body.messages.map(textOf),
    ...((body.tools ?? []) as { function: object }[]).map(tool => JSON.stringify(tool.function))
  ].reduce((sum, text) => sum + countTokens(text), 0)
const numbersOf = ({ body }: ModelRequest) =>
  body.messages
    .flatMap(message =>
      textOf(message).includes('<earlier_conversation>')
        ? []
        : (/Message (\d+)\./.exec(textOf(message))?.[1] ?? [])
    )
    .map(Number)
const isSteady = (request: ModelRequest, before: ModelRequest) =>
  JSON.stringify(request.body.messages.slice(0, before.body.messages.length)) ===
  JSON.stringify(before.body.messages)

const chat = {
  compaction: 'words' as const,
  tools: [{ name: 'ask-question' }, { name: 'web-fetch' }],
  limits: { stepsPerTurn: 25, usdPerTurn: 0, contextTokens: budget }
}
const viewOf = async (sessionId: string, query: Record<string, string> = {}) =>
  (await callEndpoint(sessionOperations.context, { params: { sessionId }, query })).body as ContextView

/** A reply for which the provider reports this many input tokens. */
const replyWithUsage = (text: string, input: number): Reply =>
  replyText(text, { tokens: { input, output: 10 } })

test('001-17: the size of the next prompt is broken down into all of its parts, by the heuristic', async () => {
  const externalServer = await startExternalSystem(response => void response.end('z'.repeat(2000)))
  const server = await startTestServer({
    script: request => {
      const lastText = last(request)
      if (lastText.includes('Read'))
        return replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/long` } })
      if (lastText.includes('Ask')) return replyCalls(question)
      return replyText('Fine.')
    },
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  const instructions = 'Be brief. '.repeat(40)
  await server.saveAgent({ chat: { ...chat, instructions } })
  const session = await server.startSession('test')
  const { id: sessionId } = session

  const emptyView = await viewOf(sessionId)
  expect(emptyView.breakdown).toMatchObject({
    summary: 0,
    user: 0,
    assistant: 0,
    toolResults: 0,
    outOfBand: 0
  })
  expect(emptyView.breakdown.system).toBe(emptyView.instructionsTokens)
  expect(emptyView.breakdown.system).toBeGreaterThan(countTokens(instructions))
  expect(emptyView).toMatchObject({ contextTokens: budget, ratio: 1, corrected: emptyView.estimated })

  const image = {
    type: 'file' as const,
    mediaType: 'image/png',
    url: `data:image/png;base64,${'A'.repeat(9000)}`
  }
  await session.runTurn('', { text: undefined, parts: [{ type: 'text', text: '東京の天気' }, image] })
  const afterTurn = await viewOf(sessionId)
  // The heuristic estimates one token per CJK character, and a hundred per image regardless of its size.
  expect(afterTurn.breakdown.user).toBe(5 + 100)
  expect(afterTurn.breakdown.assistant).toBe(countTokens(JSON.stringify([{ type: 'text', text: 'Fine.' }])))

  await session.runTurn('Read it.')
  const afterFetch = await viewOf(sessionId)
  expect(afterFetch.breakdown.toolResults).toBeGreaterThan(500)
  expect(afterFetch.breakdown.toolResults).toBeLessThan(560)

  await session.runTurn('Ask me.')
  const call = await session.waitForCall('ask-question')
  await session.runTurn('Never mind.')
  const before = await viewOf(sessionId)
  const ended = session.waitForEnd()
  await session.answer(call, { output: { answer: 'w'.repeat(400) } })
  await ended
  const afterLateAnswer = await viewOf(sessionId)
  // A late answer appears further down, but is listed under results.
  const answer = countTokens(JSON.stringify({ type: 'output', value: { answer: 'w'.repeat(400) } }))
  expect(afterLateAnswer.breakdown.toolResults - before.breakdown.toolResults).toBe(answer)

  await sendOutOfBand(server.ctx, SendOob.parse({ sessionId, content: 'o'.repeat(400), sourceId: 'ci' }))
  await session.runTurn('Go on.')
  const afterOutOfBand = await viewOf(sessionId)
  expect(afterOutOfBand.breakdown.outOfBand).toBeGreaterThan(100)
  expect(afterOutOfBand.breakdown.outOfBand).toBeLessThan(160)
  // An agent that has an out-of-band message also has a tool to acknowledge it.
  expect(afterOutOfBand.breakdown.tools).toBeGreaterThan(afterLateAnswer.breakdown.tools)

  for (let n = 0; n < 8; n++) await session.runTurn(longMessage(n))
  const afterHop = await viewOf(sessionId)
  expect(afterHop.breakdown.summary).toBe(afterHop.summary?.tokens)
  expect(afterHop.breakdown.summary).toBeGreaterThan(20)
  for (const view of [emptyView, afterTurn, afterFetch, afterLateAnswer, afterOutOfBand, afterHop]) {
    const { system, tools, summary, ...window } = view.breakdown
    const sum = Object.values(window).reduce((total, count) => total + count, 0)
    expect(view.estimated).toBe(sum + system + tools + summary)
    expect(view.tokens).toBe(sum + system - (view.instructionsTokens ?? 0))
  }
  // The estimate for the next prompt is close to the size of the last request plus its answer.
  const request = server.model.requests.at(-1) as ModelRequest
  expect(Math.abs(afterHop.estimated - sizeOf(request))).toBeLessThan(0.06 * afterHop.estimated)
  await expectValidSessions(server.sql)
})

test('001-17: the figures alone are returned without an entry, and a deleted agent leaves no limit', async () => {
  const server = await startTestServer({ script: () => replyText('Fine.') })
  await server.saveAgent({ chat })
  const session = await server.startSession('test')
  await session.runTurn('Hello')
  const { shown, ...figures } = await viewOf(session.id, { shown: '0' })
  expect(shown).toEqual([])
  const { shown: shownText, ...full } = await viewOf(session.id)
  expect(shownText).toHaveLength(2)
  expect(figures).toEqual(full)
  expect(
    (
      await callEndpoint(sessionOperations.context, {
        params: { sessionId: session.id },
        query: { shown: '51' }
      })
    ).status
  ).toBe(422)
  await server.sql`delete from agents where id = 'test'`
  const withoutAgent = await viewOf(session.id)
  expect(withoutAgent.breakdown).toMatchObject({ system: 0, tools: 0, user: full.breakdown.user })
  expect(withoutAgent).not.toHaveProperty('contextTokens')
})

test('001-17: if a provider counts more than the heuristic, the window moves earlier; if less, later; earlier prompts stay unchanged', async () => {
  const runConversation = async (factor: number) => {
    const server = await startTestServer({
      script: (request, index) => replyWithUsage(`Answer ${index}.`, Math.round(sizeOf(request) * factor))
    })
    await server.saveAgent({ chat })
    const session = await server.startSession('test')
    for (let n = 0; n < 17; n++) await session.runTurn(longMessage(n))
    const { requests } = server.model
    const hopIndex = requests.findIndex(
      (request, k) => k > 0 && !isSteady(request, requests[k - 1] as ModelRequest)
    )
    await expectValidSessions(server.sql)
    return {
      hop: hopIndex,
      left: numbersOf(requests[hopIndex] as ModelRequest).length,
      view: await viewOf(session.id)
    }
  }
  const [baseline, overcounted, undercounted] = [
    await runConversation(1),
    await runConversation(2),
    await runConversation(0.55)
  ]
  expect(baseline.view.ratio).toBeCloseTo(1, 1)
  expect(overcounted.view.ratio).toBeCloseTo(2, 0)
  expect(overcounted.view.corrected).toBe(Math.round(overcounted.view.estimated * overcounted.view.ratio))
  expect(undercounted.view.ratio).toBeCloseTo(0.55, 1)
  // The eighth message of a thousand tokens exceeds 80 % of ten thousand. With two thousand each, the fourth
  // does.
  expect(baseline.hop).toBe(7)
  expect(overcounted.hop).toBe(3)
  expect(undercounted.hop).toBeGreaterThan(12)
  expect([overcounted.left, baseline.left]).toEqual([2, 4])
  expect(undercounted.left).toBeGreaterThan(6)
})

test('001-17: an impossible figure from a provider corrupts no ratio, window, turn or account', async () => {
  const impossibleFigures = [0, -5, 1e18, 1.5, Number.NaN, 3]
  const server = await startTestServer({
    script: (request, index) =>
      replyWithUsage(
        `Answer ${index}.`,
        index < impossibleFigures.length
          ? (impossibleFigures[index] as number)
          : Math.round(sizeOf(request) * 1.5)
      )
  })
  await server.saveAgent({ chat })
  const session = await server.startSession('test')
  for (const [n] of impossibleFigures.entries()) {
    expect(await session.runTurn(`Message ${n}.`)).toMatchObject({ outcome: 'done' })
    expect((await viewOf(session.id)).ratio, String(impossibleFigures[n])).toBe(1)
  }
  const [sum] = await server.sql`select sum(input_tokens)::float8 as tokens, sum(usd) as usd from turns`
  expect(sum?.tokens).toBe(3)
  expect(sum?.usd).toBeLessThan(0.01)
  // The next plausible figure is used.
  await session.runTurn('Message 6.')
  expect((await viewOf(session.id)).ratio).toBeGreaterThan(1.3)
})

test('001-17: another model starts with the unscaled heuristic', async () => {
  const server = await startTestServer({
    script: (request, index) => replyWithUsage(`Answer ${index}.`, Math.round(sizeOf(request) * 2))
  })
  await server.saveAgent({ chat })
  const session = await server.startSession('test')
  await session.runTurn('Hello')
  expect((await viewOf(session.id)).ratio).toBeGreaterThan(1.7)
  await server.saveAgent({ chat: { ...chat, model: 'openai/another' } })
  expect((await viewOf(session.id)).ratio).toBe(1)
})
