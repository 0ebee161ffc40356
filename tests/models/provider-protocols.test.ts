import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { jsonSchema, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { serverProviders } from '#lib/models/configured.ts'
import { problemOfFinish } from '#lib/models/finish-problem.ts'
import { describeModelError } from '#lib/models/model-error.ts'
import { modelFor } from '#lib/models/registry.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { fetchFrom, protocolOf, protocols, redirectFetch } from './protocols.ts'
import { type Cut, replay } from './replay-server.ts'

/**
 * Runs recorded streams of model providers through our model code. They follow the references and schemas that the
 * header of each fixture names. `openai-responses` is the protocol of `openai/…` with OpenAI. The protocols from
 * `openai-chat` to `openrouter` are those of `openai/…` with other servers.
 */
const providers = Object.keys(protocols)
/** OpenAI sends no reasoning text over chat completions, only its size. */
const hidesReasoning = ['openai-chat']
/** These report the size of the reasoning. */
const countsReasoning = /^(open|anthropic|google)/
/** These report the tokens that they read from their cache. */
const countsCached = /^(openai-|anthropic|google|bedrock|mistral)/
/** These report the tokens that they wrote to their cache. */
const countsWritten = /^(anthropic|bedrock)/
const cutModes: Cut[] = ['whole', 'events', 'bytes']

const text = 'Grüße aus Malmö 🌊\n\nAlles gut.'
const refusalText = "I'm sorry, I cannot help with that."
const reasoningText = 'Comparing numbers'

const fixtures = readdirSync(join(import.meta.dirname, 'fixtures'), { recursive: true })
  .map(String)
  .flatMap(name => (/\.(sse|jsonl)$/.test(name) ? [name.replace(/\.\w+$/, '')] : []))
const fixturesFor = (scenario: string) =>
  fixtures.filter(name => name.split('/')[1]?.startsWith(scenario)).sort()

const lookup = tool({
  inputSchema: jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city']
  })
})

/** Makes one model call like `lib/engine/turn`, without the library’s own retries. */
async function play(fixture: string, cut: Cut) {
  const server = await replay([fixture], cut)
  const { model, host = '', path, settings } = protocolOf(fixture.split('/')[0]!)
  const result = streamText({
    model: modelFor(model, {
      providers: serverProviders(settings(server.url), fetchFrom({ [host]: server.url }))
    }),
    messages: [{ role: 'user', content: 'Hi' }],
    tools: { lookup },
    maxRetries: 0,
    onError() {}
  })
  const collected = { text: '', reasoning: '', errors: [] as unknown[] }
  try {
    for await (const part of result.stream) {
      if (part.type === 'text-delta') collected.text += part.text
      if (part.type === 'reasoning-delta') collected.reasoning += part.text
      if (part.type === 'error') collected.errors.push(part.error)
    }
  } catch (error) {
    collected.errors.push(error)
  }
  expect(server.paths).toEqual([path])
  const [error] = collected.errors
  const step = error === undefined ? await result.finalStep : undefined
  return {
    ...collected,
    finishReason: step?.finishReason,
    usage: step?.usage,
    toolCalls: step?.toolCalls ?? [],
    problem:
      step === undefined
        ? describeModelError(error)
        : problemOfFinish(step.finishReason, step.rawFinishReason)
  }
}

test('every provider has text, parallel tool calls, truncation and reasoning', () => {
  for (const scenario of ['text', 'parallel-tool-calls', 'length', 'reasoning'])
    expect(new Set(fixturesFor(scenario).map(name => name.split('/')[0])), scenario).toEqual(
      new Set(providers)
    )
})

describe.each(cutModes)('a stream in %s', cut => {
  test.each(fixturesFor('text'))('%s: the text arrives complete, with its usage', async fixture => {
    const { finishReason, usage, problem, ...collected } = await play(fixture, cut)
    expect(collected).toMatchObject({ text, reasoning: '', errors: [], toolCalls: [] })
    expect(finishReason).toBe('stop')
    expect(problem).toBeUndefined()
    expect(usage).toMatchObject({ inputTokens: 37, outputTokens: 11 })
    if (countsCached.test(fixture)) expect(usage?.inputTokenDetails.cacheReadTokens).toBe(12)
    if (countsWritten.test(fixture)) expect(usage?.inputTokenDetails.cacheWriteTokens).toBe(5)
  })

  test.each(fixturesFor('parallel-tool-calls'))(
    '%s: each of two calls has its own arguments',
    async fixture => {
      const { finishReason, toolCalls, problem, usage } = await play(fixture, cut)
      expect(toolCalls.map(({ toolName, input }) => [toolName, input])).toEqual([
        ['lookup', { city: 'Tromsø' }],
        ['lookup', { city: 'Bergen' }]
      ])
      expect(new Set(toolCalls.map(call => call.toolCallId)).size).toBe(2)
      expect(finishReason).toBe('tool-calls')
      expect(problem).toBeUndefined()
      expect(usage?.outputTokens).toBe(46)
    }
  )

  test.each(fixturesFor('length'))(
    '%s: a reply that reached its limit ends with that reason, not as a failure',
    async fixture => {
      const { text, finishReason, problem, usage } = await play(fixture, cut)
      expect(text).toMatch(/^Once upon a/)
      expect(finishReason).toBe('length')
      expect(problem).toBeUndefined()
      expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 16 })
    }
  )

  test.each(fixturesFor('reasoning'))('%s: reasoning is separate from the reply', async fixture => {
    const { text, reasoning, finishReason, usage } = await play(fixture, cut)
    expect(text).toBe('9.8 is greater.')
    if (hidesReasoning.includes(fixture.split('/')[0]!)) expect(reasoning).toBe('')
    else expect(reasoning).toContain(reasoningText)
    expect(finishReason).toBe('stop')
    expect(usage).toMatchObject({ inputTokens: 81, outputTokens: 1035 })
    if (countsReasoning.test(fixture)) expect(usage?.outputTokenDetails.reasoningTokens).toBe(832)
  })

  test.each(fixturesFor('refusal'))('%s: a refusal is the model’s text', async fixture => {
    const { text, errors } = await play(fixture, cut)
    expect(text).toBe(refusalText)
    expect(errors).toEqual([])
  })

  test.each(fixturesFor('content-filter'))(
    '%s: filtered output is a refusal that is not retried',
    async fixture => {
      expect((await play(fixture, cut)).problem).toMatchObject({ code: 'REFUSED', retryable: false })
    }
  )

  test.each([...fixturesFor('error'), ...fixturesFor('failed')])(
    '%s: an error during the stream is a failure that is retried',
    async fixture => {
      const { text, problem } = await play(fixture, cut)
      expect(text).toBe('Half of')
      expect(problem).toMatchObject({ retryable: true })
    }
  )
})

describe.each(providers)('a turn with %s', provider => {
  test('two calls at once run, and the reply with its reasoning follows', async () => {
    const server = await replay([`${provider}/parallel-tool-calls`, `${provider}/reasoning`], 'events')
    const { model, host = '', settings } = protocolOf(provider)
    redirectFetch({ [host]: server.url })
    const testServer = await startTestServer({ settings: settings(server.url) })
    await testServer.saveAgent({
      chat: {
        model,
        tools: [
          {
            name: 'lookup',
            where: 'external',
            description: 'Looks up a city.',
            inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            url: 'https://acme.example/cities'
          }
        ]
      }
    })
    const session = await testServer.startSession('test')
    expect(await session.runTurn('Compare Tromsø and Bergen')).toMatchObject({ outcome: 'parked' })
    const { calls } = await session.get()
    expect(calls.map(({ input }) => input)).toEqual([{ city: 'Tromsø' }, { city: 'Bergen' }])
    const ended = session.waitForEnd()
    for (const call of calls) await session.answer(call, { output: { degrees: 4 } })
    expect(await ended).toMatchObject({ outcome: 'done' })
    const last = (await session.get()).messages.at(-1)
    expect(last && textOf(last)).toContain('9.8 is greater.')
  })
})
