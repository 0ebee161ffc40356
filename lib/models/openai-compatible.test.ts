import { jsonSchema, streamText, tool } from 'ai'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Reply,
  replyCalls,
  replyError,
  replyFiltered,
  replyRefusal,
  replyText,
  replyThenCut,
  replyThenEnd,
  replyThenError,
  replyThenHold,
  replyThenInvalidJson
} from '#tests/support/fakes/openai-replies.ts'
import { type OpenAIServer, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { serverProviders } from './configured.ts'
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

/** Runs one step like `lib/engine/turn`: without the SDK's retries. */
async function step(reply: Reply, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
  server.setScript([reply])
  const result = streamText({
    model: modelFor('openai/test-model', {
      providers: serverProviders({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-secret-key' })
    }),
    instructions: 'Be brief.',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: { lookup },
    maxRetries: 0,
    abortSignal,
    onError() {}
  })
  const output = { text: '', errors: [] as unknown[], types: [] as string[] }
  try {
    for await (const part of result.stream) {
      output.types.push(part.type)
      if (part.type === 'text-delta') output.text += part.text
      if (part.type === 'error') output.errors.push(part.error)
    }
  } catch (error) {
    // The stream throws the error of a broken connection instead of sending an error part.
    output.errors.push(error)
  }
  return { result, ...output }
}

test('text and usage are returned, and the request contains the given options', async () => {
  const { text, result } = await step(
    replyText('Hello there', { tokens: { input: 1000, output: 100, cached: 400 } })
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

test('parallel tool calls arrive complete', async () => {
  const { result } = await step(
    replyCalls({ name: 'lookup', input: { city: 'Oslo' } }, { name: 'lookup', input: { city: 'Bergen' } })
  )
  const { toolCalls, finishReason } = await result.finalStep
  expect(toolCalls.map(call => call.input)).toEqual([{ city: 'Oslo' }, { city: 'Bergen' }])
  expect(finishReason).toBe('tool-calls')
})

test('arguments that are not JSON make the call invalid, but do not fail the step', async () => {
  const { result, errors } = await step(replyCalls({ name: 'lookup', input: '{"city": ' }))
  expect(errors).toEqual([])
  expect((await result.finalStep).toolCalls).toMatchObject([{ toolName: 'lookup', invalid: true }])
})

describe('an error is described in our own text', () => {
  test.each<[string, Reply, object]>([
    [
      '429',
      replyError(429, { headers: { 'retry-after': '7' } }),
      { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 7000 }
    ],
    [
      '429 with a delay in milliseconds',
      replyError(429, { headers: { 'retry-after-ms': '250' } }),
      { code: 'RATE_LIMITED', retryAfterMs: 250 }
    ],
    [
      'no credit left',
      replyError(429, { code: 'insufficient_quota' }),
      { code: 'RATE_LIMITED', retryable: false }
    ],
    ['500', replyError(500), { code: 'PROVIDER_DOWN', retryable: true }],
    [
      'an HTML page',
      { kind: 'status', status: 502, body: '<html>Bad gateway</html>' },
      { code: 'PROVIDER_DOWN', retryable: true }
    ],
    [
      'a wrong key',
      replyError(401, { message: 'Incorrect API key provided: sk-secret-key.', code: 'invalid_api_key' }),
      { code: 'BAD_KEY', retryable: false }
    ],
    [
      'an unknown model',
      replyError(404, { message: 'The model `x` does not exist', code: 'model_not_found' }),
      { code: 'BAD_REQUEST', retryable: false }
    ],
    [
      'prompt too long',
      replyError(400, { code: 'context_length_exceeded' }),
      { code: 'CONTEXT_TOO_LONG', retryable: false }
    ],
    ['filtered', replyError(400, { code: 'content_filter' }), { code: 'REFUSED', retryable: false }],
    ['connection closed during the response', replyThenCut('One two'), { code: 'CUT', retryable: true }],
    ['response without a finish reason', replyThenEnd('One two'), { code: 'CUT', retryable: true }],
    ['a chunk that is not JSON', replyThenInvalidJson('One two'), { code: 'PROVIDER_DOWN', retryable: true }],
    ['an error in the stream', replyThenError('One two'), { code: 'PROVIDER_DOWN', retryable: true }]
  ])('%s', async (_, reply, problem) => {
    const { errors } = await step(reply)
    const described = describeModelError(errors[0])
    expect(described).toMatchObject(problem)
    expect(JSON.stringify(described)).not.toContain('secret')
  })

  test.each([replyThenCut, replyThenEnd, replyThenInvalidJson, replyThenError])(
    'text before a broken stream arrives (%s)',
    async broken => {
      expect((await step(broken('One two'))).text).toBe('One two')
    }
  )

  test('an unreachable server is a network error', async () => {
    await server.close()
    const { errors } = await step(replyText('never'))
    expect(describeModelError(errors[0])).toMatchObject({ code: 'NETWORK', retryable: true })
  })
})

test.each([replyRefusal('I cannot help with that.'), replyFiltered('I cannot')])(
  'a refusal finishes with REFUSED (%#)',
  async reply => {
    const { result, text, errors } = await step(reply)
    expect(text).toContain('I cannot')
    expect(errors).toEqual([])
    const { finishReason, rawFinishReason } = await result.finalStep
    expect(problemOfFinish(finishReason, rawFinishReason)?.code).toBe('REFUSED')
  }
)

test('an abort closes the connection to the provider', async () => {
  const controller = new AbortController()
  const stepDone = step(replyThenHold('One two'), { abortSignal: controller.signal })
  const request = await server.request(0)
  controller.abort()
  expect((await stepDone).types.at(-1)).toBe('abort')
  expect(await request.ended).toBe('disconnected')
})

test('a paused answer continues after it is released', async () => {
  const stepDone = step(replyThenHold('One two'))
  await server.request(0)
  server.release()
  expect((await stepDone).text).toBe('One two')
  expect(await server.requests[0]!.ended).toBe('finished')
})

test('a request after the end of the script fails', async () => {
  await step(replyText('only one'))
  server.setScript([])
  const model = modelFor('openai/x', { providers: serverProviders({ OPENAI_BASE_URL: server.url }) })
  await expect(model.doGenerate({ prompt: [] })).rejects.toThrow('The script has no reply for request 1.')
})
