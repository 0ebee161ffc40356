import { jsonSchema, streamText, tool } from 'ai'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  breaks,
  calls,
  cuts,
  ends,
  fails,
  filters,
  garbles,
  holds,
  type Reply,
  refuses,
  says
} from '#tests/support/fakes/openai-replies.ts'
import { type OpenAIServer, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { problemOfFinish } from './finish-problem.ts'
import { describeModelError } from './model-error.ts'
import { costOf } from './price.ts'
import { modelFor } from './registry.ts'

let server: OpenAIServer
beforeEach(async () => {
  server = await startOpenAIServer()
})
afterEach(() => server.close())

const lookup = tool({
  inputSchema: jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
})

/** One step as `lib/engine/turn` runs it: no retries of the SDK's own. */
async function step(reply: Reply, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
  server.play([reply])
  const result = streamText({
    model: modelFor('openai/test-model', { openaiBaseUrl: server.url, openaiApiKey: 'sk-secret-key' }),
    instructions: 'Be brief.',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: { lookup },
    maxRetries: 0,
    abortSignal,
    onError() {}
  })
  const seen = { text: '', errors: [] as unknown[], types: [] as string[] }
  try {
    for await (const part of result.stream) {
      seen.types.push(part.type)
      if (part.type === 'text-delta') seen.text += part.text
      if (part.type === 'error') seen.errors.push(part.error)
    }
  } catch (error) {
    // A connection that breaks in the middle is thrown by the stream itself, not sent as an error part.
    seen.errors.push(error)
  }
  return { result, ...seen }
}

test('text comes with its usage, and the request carries what was asked', async () => {
  const { text, result } = await step(
    says('Hello there', { tokens: { input: 1000, output: 100, cached: 400 } })
  )
  expect(text).toBe('Hello there')
  const { usage, finishReason } = await result.finalStep
  expect(finishReason).toBe('stop')
  expect(costOf('openai/test-model', usage)).toBeCloseTo((1000 * 3 + 100 * 15) / 1e6)
  expect(usage.inputTokenDetails.cacheReadTokens).toBe(400)
  const { body, headers } = server.requests[0]!
  expect(body).toMatchObject({ model: 'test-model', stream: true, stream_options: { include_usage: true } })
  expect(body.messages).toMatchObject([{ role: 'system', content: 'Be brief.' }, { role: 'user' }])
  expect(headers.authorization).toBe('Bearer sk-secret-key')
})

test('parallel tool calls arrive whole', async () => {
  const { result } = await step(
    calls({ name: 'lookup', input: { city: 'Oslo' } }, { name: 'lookup', input: { city: 'Bergen' } })
  )
  const { toolCalls, finishReason } = await result.finalStep
  expect(toolCalls.map(call => call.input)).toEqual([{ city: 'Oslo' }, { city: 'Bergen' }])
  expect(finishReason).toBe('tool-calls')
})

test('arguments that are not JSON are an invalid call, not a broken step', async () => {
  const { result, errors } = await step(calls({ name: 'lookup', input: '{"city": ' }))
  expect(errors).toEqual([])
  expect((await result.finalStep).toolCalls).toMatchObject([{ toolName: 'lookup', invalid: true }])
})

describe('an error is told in our words', () => {
  test.each<[string, Reply, object]>([
    [
      '429',
      fails(429, { headers: { 'retry-after': '7' } }),
      { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 7000 }
    ],
    [
      '429 in ms',
      fails(429, { headers: { 'retry-after-ms': '250' } }),
      { code: 'RATE_LIMITED', retryAfterMs: 250 }
    ],
    ['no credit', fails(429, { code: 'insufficient_quota' }), { code: 'RATE_LIMITED', retryable: false }],
    ['500', fails(500), { code: 'PROVIDER_DOWN', retryable: true }],
    [
      'an HTML page',
      { kind: 'status', status: 502, body: '<html>Bad gateway</html>' },
      { code: 'PROVIDER_DOWN', retryable: true }
    ],
    [
      'a wrong key',
      fails(401, { message: 'Incorrect API key provided: sk-secret-key.', code: 'invalid_api_key' }),
      { code: 'BAD_KEY', retryable: false }
    ],
    [
      'an unknown model',
      fails(404, { message: 'The model `x` does not exist', code: 'model_not_found' }),
      { code: 'BAD_REQUEST', retryable: false }
    ],
    [
      'too long',
      fails(400, { code: 'context_length_exceeded' }),
      { code: 'CONTEXT_TOO_LONG', retryable: false }
    ],
    ['filtered', fails(400, { code: 'content_filter' }), { code: 'REFUSED', retryable: false }],
    ['cut in the middle', cuts('One two'), { code: 'CUT', retryable: true }],
    ['no finish reason', ends('One two'), { code: 'CUT', retryable: true }],
    ['a chunk that is not JSON', garbles('One two'), { code: 'PROVIDER_DOWN', retryable: true }],
    ['an error in the stream', breaks('One two'), { code: 'PROVIDER_DOWN', retryable: true }]
  ])('%s', async (_, reply, problem) => {
    const { errors } = await step(reply)
    const told = describeModelError(errors[0])
    expect(told).toMatchObject(problem)
    expect(JSON.stringify(told)).not.toContain('secret')
  })

  test.each([cuts, ends, garbles, breaks])('the words before a break arrive (%s)', async broken => {
    expect((await step(broken('One two'))).text).toBe('One two')
  })

  test('nobody at the address', async () => {
    await server.close()
    const { errors } = await step(says('never'))
    expect(describeModelError(errors[0])).toMatchObject({ code: 'NETWORK', retryable: true })
  })
})

test.each([refuses('I cannot help with that.'), filters('I cannot')])(
  'a refusal finishes as one (%#)',
  async reply => {
    const { result, text, errors } = await step(reply)
    expect(text).toContain('I cannot')
    expect(errors).toEqual([])
    const { finishReason, rawFinishReason } = await result.finalStep
    expect(problemOfFinish(finishReason, rawFinishReason)?.code).toBe('REFUSED')
  }
)

test('an abort hangs up on the provider', async () => {
  const stop = new AbortController()
  const running = step(holds('One two'), { abortSignal: stop.signal })
  const request = await server.request(0)
  stop.abort()
  expect((await running).types.at(-1)).toBe('abort')
  expect(await request.ended).toBe('left')
})

test('an answer that is held goes on when it is let go', async () => {
  const running = step(holds('One two'))
  await server.request(0)
  server.release()
  expect((await running).text).toBe('One two')
  expect(await server.requests[0]!.ended).toBe('finished')
})

test('a request past the end of the script is told so', async () => {
  await step(says('only one'))
  server.play([])
  const model = modelFor('openai/x', { openaiBaseUrl: server.url })
  await expect(model.doGenerate({ prompt: [] })).rejects.toThrow('The script has no reply for request 1.')
})
