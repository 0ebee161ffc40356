import { expect, test } from 'vitest'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import { SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { ContextView } from '#lib/protocol/session/context.ts'
import { calls, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const budget = 10_000
const question = { name: 'ask-question', input: { question: 'Tea?' } }
/** A message of exactly a thousand tokens by the heuristic, which begins with its number. */
const thousand = (n: number) => `Message ${n}. `.padEnd(4000, 'x')

type Said = ModelRequest['body']['messages'][number]
const textOf = ({ content }: Said) => (typeof content === 'string' ? content : JSON.stringify(content))
const last = ({ body }: ModelRequest) => textOf(body.messages.at(-1) as Said)
/** About what the heuristic says of a request: its messages and its tools. */
const sizeOf = ({ body }: ModelRequest) =>
  [
    ...body.messages.map(textOf),
    ...((body.tools ?? []) as { function: object }[]).map(tool => JSON.stringify(tool.function))
  ].reduce((sum, text) => sum + countTokens(text), 0)
const numbersOf = ({ body }: ModelRequest) =>
  body.messages
    .flatMap(said =>
      textOf(said).includes('<earlier_conversation>') ? [] : (/Message (\d+)\./.exec(textOf(said))?.[1] ?? [])
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

/** An answer for which the provider reports so many tokens. */
const reporting = (text: string, input: number): Reply => says(text, { tokens: { input, output: 10 } })

test('001-17: the next prompt is broken down into all it is made of, by the heuristic', async () => {
  const outside = await startOtherSystem(response => void response.end('z'.repeat(2000)))
  const world = await testWorld({
    script: request => {
      const words = last(request)
      if (words.includes('Read')) return calls({ name: 'web-fetch', input: { url: `${outside.url}/long` } })
      if (words.includes('Ask')) return calls(question)
      return says('Fine.')
    },
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  const instructions = 'Be brief. '.repeat(40)
  await world.agent({ chat: { ...chat, instructions } })
  const session = await world.session('test')
  const { id: sessionId } = session

  const empty = await viewOf(sessionId)
  expect(empty.breakdown).toMatchObject({ summary: 0, user: 0, assistant: 0, toolResults: 0, outOfBand: 0 })
  expect(empty.breakdown.system).toBe(empty.instructionsTokens)
  expect(empty.breakdown.system).toBeGreaterThan(countTokens(instructions))
  expect(empty).toMatchObject({ contextTokens: budget, ratio: 1, corrected: empty.estimated })

  const image = {
    type: 'file' as const,
    mediaType: 'image/png',
    url: `data:image/png;base64,${'A'.repeat(9000)}`
  }
  await session.says('', { text: undefined, parts: [{ type: 'text', text: '東京の天気' }, image] })
  const seen = await viewOf(sessionId)
  // One for each character of CJK, a hundred for an image, however large.
  expect(seen.breakdown.user).toBe(5 + 100)
  expect(seen.breakdown.assistant).toBe(countTokens(JSON.stringify([{ type: 'text', text: 'Fine.' }])))

  await session.says('Read it.')
  const read = await viewOf(sessionId)
  expect(read.breakdown.toolResults).toBeGreaterThan(500)
  expect(read.breakdown.toolResults).toBeLessThan(560)

  await session.says('Ask me.')
  const call = await session.waitsFor('ask-question')
  await session.says('Never mind.')
  const before = await viewOf(sessionId)
  const ended = session.ends()
  await session.answer(call, { output: { answer: 'w'.repeat(400) } })
  await ended
  const late = await viewOf(sessionId)
  // A late answer stands further down; it is a result all the same.
  const answer = countTokens(JSON.stringify({ type: 'output', value: { answer: 'w'.repeat(400) } }))
  expect(late.breakdown.toolResults - before.breakdown.toolResults).toBe(answer)

  await sendOutOfBand(world.ctx, SendOob.parse({ sessionId, content: 'o'.repeat(400), sourceId: 'ci' }))
  await session.says('Go on.')
  const told = await viewOf(sessionId)
  expect(told.breakdown.outOfBand).toBeGreaterThan(100)
  expect(told.breakdown.outOfBand).toBeLessThan(160)
  // Who is told something beside the conversation has a tool to say so.
  expect(told.breakdown.tools).toBeGreaterThan(late.breakdown.tools)

  for (let n = 0; n < 8; n++) await session.says(thousand(n))
  const hopped = await viewOf(sessionId)
  expect(hopped.breakdown.summary).toBe(hopped.summary?.tokens)
  expect(hopped.breakdown.summary).toBeGreaterThan(20)
  for (const view of [empty, seen, read, late, told, hopped]) {
    const { system, tools, summary, ...window } = view.breakdown
    const sum = Object.values(window).reduce((all, count) => all + count, 0)
    expect(view.estimated).toBe(sum + system + tools + summary)
    expect(view.tokens).toBe(sum + system - (view.instructionsTokens ?? 0))
  }
  // What is said of the next prompt is what was counted for the last one, and its answer.
  const request = world.model.requests.at(-1) as ModelRequest
  expect(Math.abs(hopped.estimated - sizeOf(request))).toBeLessThan(0.06 * hopped.estimated)
  await expectSoundSessions(world.sql)
})

test('001-17: the figures alone are told without an entry, and an agent that is gone leaves no limit', async () => {
  const world = await testWorld({ script: () => says('Fine.') })
  await world.agent({ chat })
  const session = await world.session('test')
  await session.says('Hello')
  const { shown, ...figures } = await viewOf(session.id, { shown: '0' })
  expect(shown).toEqual([])
  const { shown: told, ...whole } = await viewOf(session.id)
  expect(told).toHaveLength(2)
  expect(figures).toEqual(whole)
  expect(
    (
      await callEndpoint(sessionOperations.context, {
        params: { sessionId: session.id },
        query: { shown: '51' }
      })
    ).status
  ).toBe(422)
  await world.sql`delete from agents where id = 'test'`
  const gone = await viewOf(session.id)
  expect(gone.breakdown).toMatchObject({ system: 0, tools: 0, user: whole.breakdown.user })
  expect(gone).not.toHaveProperty('contextTokens')
})

test('001-17: a provider that counts more than the heuristic makes the window move earlier, one that counts less later; prompts stay as they were', async () => {
  const talk = async (factor: number) => {
    const world = await testWorld({
      script: (request, index) => reporting(`Answer ${index}.`, Math.round(sizeOf(request) * factor))
    })
    await world.agent({ chat })
    const session = await world.session('test')
    for (let n = 0; n < 17; n++) await session.says(thousand(n))
    const { requests } = world.model
    const hop = requests.findIndex(
      (request, k) => k > 0 && !isSteady(request, requests[k - 1] as ModelRequest)
    )
    await expectSoundSessions(world.sql)
    return { hop, left: numbersOf(requests[hop] as ModelRequest).length, view: await viewOf(session.id) }
  }
  const [as, more, fewer] = [await talk(1), await talk(2), await talk(0.55)]
  expect(as.view.ratio).toBeCloseTo(1, 1)
  expect(more.view.ratio).toBeCloseTo(2, 0)
  expect(more.view.corrected).toBe(Math.round(more.view.estimated * more.view.ratio))
  expect(fewer.view.ratio).toBeCloseTo(0.55, 1)
  // The eighth message of a thousand is too much for 80 % of ten thousand; the fourth, if each is two thousand.
  expect(as.hop).toBe(7)
  expect(more.hop).toBe(3)
  expect(fewer.hop).toBeGreaterThan(12)
  expect([more.left, as.left]).toEqual([2, 4])
  expect(fewer.left).toBeGreaterThan(6)
})

test('001-17: what a provider reports and cannot be true poisons nothing: no ratio, no window, no turn, no account', async () => {
  const garbage = [0, -5, 1e18, 1.5, Number.NaN, 3]
  const world = await testWorld({
    script: (request, index) =>
      reporting(
        `Answer ${index}.`,
        index < garbage.length ? (garbage[index] as number) : Math.round(sizeOf(request) * 1.5)
      )
  })
  await world.agent({ chat })
  const session = await world.session('test')
  for (const [n] of garbage.entries()) {
    expect(await session.says(`Message ${n}.`)).toMatchObject({ outcome: 'done' })
    expect((await viewOf(session.id)).ratio, String(garbage[n])).toBe(1)
  }
  const [sum] = await world.sql`select sum(input_tokens)::float8 as tokens, sum(usd) as usd from turns`
  expect(sum?.tokens).toBe(3)
  expect(sum?.usd).toBeLessThan(0.01)
  // The next one that can be true is heard.
  await session.says('Message 6.')
  expect((await viewOf(session.id)).ratio).toBeGreaterThan(1.3)
})

test('001-17: another model begins with the heuristic as it is', async () => {
  const world = await testWorld({
    script: (request, index) => reporting(`Answer ${index}.`, Math.round(sizeOf(request) * 2))
  })
  await world.agent({ chat })
  const session = await world.session('test')
  await session.says('Hello')
  expect((await viewOf(session.id)).ratio).toBeGreaterThan(1.7)
  await world.agent({ chat: { ...chat, model: 'openai/another' } })
  expect((await viewOf(session.id)).ratio).toBe(1)
})
