import { expect, test } from 'vitest'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const budget = 10_000
const question = { name: 'ask-question', input: { question: 'Tea?' } }
/** A message of exactly a thousand tokens by the heuristic of 001-17, which begins with its number. */
const thousand = (n: number) => `Message ${n}. `.padEnd(4000, 'x')

type Said = ModelRequest['body']['messages'][number]
const textOf = ({ content }: Said) => (typeof content === 'string' ? content : JSON.stringify(content))
/** What a request's prompt says, without the agent's instructions. */
const promptOf = ({ body }: ModelRequest) => body.messages.filter(({ role }) => role !== 'system')
const isSummary = (said: Said | undefined) =>
  said !== undefined && textOf(said).includes('<earlier_conversation>')
/** What of a prompt is the window: everything but the summary. */
const windowOf = (request: ModelRequest) => promptOf(request).filter(said => !isSummary(said))
const numbersOf = (request: ModelRequest) =>
  windowOf(request)
    .flatMap(said => /Message (\d+)\./.exec(textOf(said))?.[1] ?? [])
    .map(Number)
const size = (said: Said) =>
  said.role === 'assistant'
    ? countTokens(JSON.stringify([{ type: 'text', text: textOf(said) }]))
    : countTokens(textOf(said))
const sizeOf = (request: ModelRequest) => windowOf(request).reduce((sum, said) => sum + size(said), 0)
/** What counts in every prompt beside the window: instructions, tools and, where there is one, the summary. */
const fixedOf = ({ body }: ModelRequest) =>
  [
    ...body.messages.filter(said => said.role === 'system' || isSummary(said)).map(textOf),
    ...((body.tools ?? []) as { function: object }[]).map(tool => JSON.stringify(tool.function))
  ].reduce((sum, text) => sum + countTokens(text), 0)
const beginsWith = (request: ModelRequest, before: ModelRequest) =>
  JSON.stringify(promptOf(request).slice(0, promptOf(before).length)) === JSON.stringify(promptOf(before))

async function talkative(script: Parameters<typeof testWorld>[0] = {}) {
  const world = await testWorld(script)
  await world.agent({
    chat: {
      tools: [{ name: 'ask-question' }],
      compaction: 'words',
      limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: budget }
    }
  })
  return { ...world, session: await world.session('test') }
}

test('the prompt grows until it is over 80 % of its budget and then hops to 50 % in one go: at a message, with a summary of what is left out', async () => {
  const { sql, model, session } = await talkative({ script: (_, index) => says(`Answer ${index}.`) })
  for (let n = 0; n < 20; n++) await session.says(thousand(n))

  const hops: number[] = []
  for (const [k, request] of model.requests.entries()) {
    const before = model.requests[k - 1]
    if (before === undefined || beginsWith(request, before)) continue
    hops.push(k)
    // Over 80 % with what came in, and for the first time since the last hop.
    const answer = size({ role: 'assistant', content: `Answer ${k - 1}.` })
    const fixed = fixedOf(before)
    expect(fixed).toBeGreaterThan(400)
    expect(fixed + sizeOf(before)).toBeLessThanOrEqual(0.8 * budget)
    expect(fixed + sizeOf(before) + answer + 1000).toBeGreaterThan(0.8 * budget)
    // Half of the budget, and not less than it must be.
    expect(fixed + sizeOf(request)).toBeLessThanOrEqual(0.5 * budget)
    expect(fixed + sizeOf(request) + answer + 1000).toBeGreaterThan(0.5 * budget)
    // A step's border: the window begins with a person's message. What stood before it is summed up in front.
    const [summary, first] = promptOf(request)
    expect(isSummary(summary)).toBe(true)
    expect(first?.role).toBe('user')
    const [oldest = 0] = numbersOf(request)
    for (let n = 0; n < oldest; n++) expect(textOf(summary as Said)).toContain(`Message ${n}.`)
    expect(textOf(summary as Said)).not.toContain(`Message ${oldest}.`)
  }
  expect(hops.length).toBeGreaterThanOrEqual(2)
  // Big hops, so that providers' caches stay warm between them.
  for (const [i, k] of hops.entries()) expect(k - (hops[i - 1] ?? 0)).toBeGreaterThanOrEqual(3)
  await expectSoundSessions(sql)
})

test('the window never hops past a call that is open, however long the conversation goes on; once its late answer is told, it does', async () => {
  const { sql, model, session } = await talkative({
    script: ({ body }, index) =>
      textOf(body.messages.at(-1) as Said).includes('Message 3.') ? calls(question) : says(`Answer ${index}.`)
  })
  for (let n = 0; n < 4; n++) await session.says(thousand(n))
  const call = await session.waitsFor('ask-question')
  for (let n = 4; n < 14; n++) await session.says(thousand(n))
  const waiting = model.requests.slice(4)
  for (const request of waiting) expect(JSON.stringify(promptOf(request))).toContain(call.toolCallId)
  // What is before the message that asked may go, and goes; then it grows past its budget, and is stable.
  const last = waiting.at(-1) as ModelRequest
  expect(numbersOf(last)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  expect(sizeOf(last)).toBeGreaterThan(budget)
  expect(
    waiting.filter((request, k) => k > 0 && !beginsWith(request, waiting[k - 1] as ModelRequest))
  ).toHaveLength(1)

  const told = session.ends()
  await session.answer(call, { output: { answer: 'tea' } })
  await told
  // The model that is told the answer sees what it had asked.
  const late = model.requests.at(-1) as ModelRequest
  expect(beginsWith(late, last)).toBe(true)
  expect(textOf(promptOf(late).at(-1) as Said)).toMatch(/call_answer.*tea/s)
  await session.says(thousand(14))
  const after = model.requests.at(-1) as ModelRequest
  expect(sizeOf(after)).toBeLessThanOrEqual(0.5 * budget)
  expect(windowOf(after).map(textOf).join()).not.toContain('Message 3.')
  expect(textOf(promptOf(after)[0] as Said)).toContain('Message 3.')
  await expectSoundSessions(sql)
})

test('a turn of many steps keeps the message it works for, and each prompt begins with the one before, over its budget too', async () => {
  const { model, session } = await talkative({
    script: (_, index) =>
      index < 12 ? { ...calls({ name: 'nothing', input: { why: 'y'.repeat(4000) } }) } : says('At last.')
  })
  expect(await session.says(thousand(0))).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(13)
  for (const [k, request] of model.requests.entries()) {
    expect(numbersOf(request)).toEqual([0])
    if (k > 0) expect(beginsWith(request, model.requests[k - 1] as ModelRequest)).toBe(true)
  }
  // The newest exchange stays with the message that follows it, and goes with the next one.
  await session.says(thousand(1))
  expect(numbersOf(model.requests.at(-1) as ModelRequest)).toEqual([0, 1])
  await session.says(thousand(2))
  expect(numbersOf(model.requests.at(-1) as ModelRequest)).toEqual([1, 2])
})

test('another worker that takes the session over shows its model the same window', async () => {
  const { model, leave, second, reopen, session } = await talkative({
    script: (_, index) => says(`Answer ${index}.`)
  })
  for (let n = 0; n < 9; n++) await session.says(thousand(n))
  const before = model.requests.at(-1) as ModelRequest
  expect(isSummary(promptOf(before)[0])).toBe(true)
  await leave()
  const there = await reopen(session.id, (await second()).ctx)
  await there.says(thousand(9))
  expect(beginsWith(model.requests.at(-1) as ModelRequest, before)).toBe(true)
})

test('what tools brought counts for the window as it does for the prompt, whoever answered them', async () => {
  const outside = await startOtherSystem(response => void response.end('z'.repeat(24_000)))
  const world = await testWorld({
    script: ({ body }, index) => {
      const words = textOf(body.messages.at(-1) as Said)
      if (words.includes('Message 1.'))
        return calls({ name: 'web-fetch', input: { url: `${outside.url}/long` } })
      if (words.includes('Message 3.')) return calls(question)
      return says(`Answer ${index}.`)
    },
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({
    chat: {
      tools: [{ name: 'web-fetch' }, { name: 'ask-question' }],
      compaction: 'words',
      limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: budget }
    }
  })
  const session = await world.session('test')
  for (let n = 0; n < 3; n++) await session.says(thousand(n))
  // Three messages and a page of 6,000 tokens are over 80 %. The newest exchange stays.
  expect(numbersOf(world.model.requests.at(-1) as ModelRequest)).toEqual([1, 2])
  await session.says(thousand(3))
  expect(numbersOf(world.model.requests.at(-1) as ModelRequest)).toEqual([2, 3])
  const ended = session.ends()
  await session.answer(await session.waitsFor('ask-question'), { output: { answer: 'w'.repeat(19_000) } })
  await ended
  await session.says(thousand(4))
  expect(numbersOf(world.model.requests.at(-1) as ModelRequest)).toEqual([3, 4])
})
