import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider'
import { retryAfterMs } from '@waystation/base/retry-after.ts'
import { NoOutputGeneratedError, RetryError } from 'ai'
import { describe, expect, test } from 'vitest'
import { problemOfFinish } from './finish-problem.ts'
import { describeModelError } from './model-error.ts'
import { ModelNotConfigured } from './provider.ts'

const SECRET = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'

const api = (
  statusCode: number | undefined,
  more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}
) =>
  new APICallError({
    message: 'It went wrong.',
    url: `https://api.example/v1?key=${SECRET}`,
    requestBodyValues: { apiKey: SECRET },
    statusCode,
    ...more
  })

const apiErrorWithCode = (code: string, statusCode = 400) =>
  api(statusCode, { data: { error: { message: 'no', type: 'invalid_request_error', code } } })

const errnoError = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:9`), { code })

test.each(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE'])(
  '001-18: %s is retried, at any position in the chain of causes',
  code => {
    for (const error of [errnoError(code), api(undefined, { cause: errnoError(code) })])
      expect(describeModelError(error)).toMatchObject({ code: 'NETWORK', retryable: true })
  }
)

describe('describes each error', () => {
  test.each([
    ['429', api(429), 'RATE_LIMITED', true],
    ['no credit left', apiErrorWithCode('insufficient_quota', 429), 'RATE_LIMITED', false],
    ['402', api(402), 'RATE_LIMITED', false],
    ['500', api(500), 'PROVIDER_DOWN', true],
    ['529', api(529), 'PROVIDER_DOWN', true],
    ['408', api(408), 'PROVIDER_DOWN', true],
    ['424', api(424), 'PROVIDER_DOWN', true],
    ['401', api(401), 'BAD_KEY', false],
    ['403', api(403), 'BAD_KEY', false],
    ['404', api(404), 'BAD_REQUEST', false],
    ['400', api(400), 'BAD_REQUEST', false],
    [
      'prompt too long, by error code',
      apiErrorWithCode('context_length_exceeded'),
      'CONTEXT_TOO_LONG',
      false
    ],
    [
      'prompt too long, by error text',
      api(400, { message: 'prompt is too long: 9 tokens' }),
      'CONTEXT_TOO_LONG',
      false
    ],
    ['413', api(413), 'CONTEXT_TOO_LONG', false],
    ['filtered', apiErrorWithCode('content_filter'), 'REFUSED', false],
    ['policy', apiErrorWithCode('content_policy_violation'), 'REFUSED', false],
    ['refused connection', api(undefined, { cause: errnoError('ECONNREFUSED') }), 'NETWORK', true],
    ['fetch failed', new TypeError('fetch failed', { cause: errnoError('ENOTFOUND') }), 'NETWORK', true],
    [
      'several addresses',
      new TypeError('fetch failed', { cause: new AggregateError([errnoError('ETIMEDOUT')]) }),
      'NETWORK',
      true
    ],
    ['undici', errnoError('UND_ERR_CONNECT_TIMEOUT'), 'NETWORK', true],
    ['certificate', api(undefined, { cause: errnoError('CERT_HAS_EXPIRED') }), 'NETWORK', false],
    ['timeout', new DOMException('too slow', 'TimeoutError'), 'NETWORK', true],
    ['connection closed after status 200', api(200, { cause: errnoError('UND_ERR_SOCKET') }), 'CUT', true],
    ['unreadable', api(200, { message: 'Invalid JSON response' }), 'PROVIDER_DOWN', true],
    ['nothing', new NoOutputGeneratedError(), 'CUT', true],
    ['no message, but a cause', new NoOutputGeneratedError({ cause: api(401) }), 'BAD_KEY', false],
    ['missing API key', new LoadAPIKeyError({ message: 'no' }), 'NOT_CONFIGURED', false],
    ['model not configured', new ModelNotConfigured('Set X.'), 'NOT_CONFIGURED', false],
    ['error in the stream: unavailable', { message: 'oops', type: 'server_error' }, 'PROVIDER_DOWN', true],
    [
      'error in the stream: rate limit',
      { message: 'oops', code: 'rate_limit_exceeded' },
      'RATE_LIMITED',
      true
    ],
    [
      'error in the stream: prompt too long',
      { message: 'maximum context length is 9', type: 'invalid_request_error' },
      'CONTEXT_TOO_LONG',
      false
    ],
    ['a bug in the server', new Error('undefined is not a function'), 'UNKNOWN', false],
    ['an empty error', undefined, 'UNKNOWN', false],
    ['a string instead of an error', 'oops', 'UNKNOWN', false]
  ])('%s', (_, error, code, retryable) => {
    const problem = describeModelError(error)
    expect(problem).toMatchObject({ code, retryable })
    expect(problem.message).toMatch(/[.”]$/)
  })

  test('exhausted retries are described by the last attempt, with its retry-after time', () => {
    const last = api(429, { responseHeaders: { 'retry-after': '3' } })
    const error = new RetryError({ message: 'x', reason: 'maxRetriesExceeded', errors: [api(500), last] })
    expect(describeModelError(error)).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 3000 })
  })

  test('an error that cannot be retried has no retry-after time', () => {
    expect(describeModelError(api(400, { responseHeaders: { 'retry-after': '3' } }))).not.toHaveProperty(
      'retryAfterMs'
    )
  })

  test('a circular chain of causes is read only once', () => {
    const error = new Error('round')
    error.cause = error
    expect(describeModelError(error).code).toBe('UNKNOWN')
  })
})

test('the provider’s message is quoted in short, without keys, URLs or the response body', () => {
  const message = `Unsupported value for ${SECRET} (Bearer ${SECRET}, api_key=${SECRET}). ${'word '.repeat(500)}`
  for (const status of [400, 401, 403, 404, 422, 429, 500]) {
    const error = api(status, {
      message,
      responseBody: `{"secret":"${SECRET}"}`,
      data: { error: { message } }
    })
    const text = JSON.stringify(describeModelError(error))
    expect(text).not.toContain('abcdefgh')
    expect(text).not.toContain('api.example')
    expect(text.length).toBeLessThan(500)
  }
  for (const secret of ['Bearer abc.def', 'sk-abcdefg', 'token_abcdefg', 'a1'.repeat(20)]) {
    const { message } = describeModelError(api(400, { message: `Wrong: ${secret}` }))
    expect(message).toMatch(/Wrong: (Bearer )?…/)
    expect(message).not.toContain(secret)
  }
  const { message: quoted } = describeModelError(api(400, { message: 'Unknown parameter: foo.' }))
  expect(quoted).toContain('“Unknown parameter: foo.”')
})

describe('retry-after', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'Retry-After': '0.5' }, 500],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '1e9' }, undefined],
    [{}, undefined],
    [undefined, undefined]
  ])('%j is %s ms', (headers, ms) => {
    expect(retryAfterMs(headers, now)).toBe(ms)
  })
})

test.each([
  ['stop', 'stop', undefined],
  ['tool-calls', 'tool_calls', undefined],
  ['length', 'length', undefined],
  ['other', 'eos', undefined],
  ['other', undefined, 'CUT'],
  ['interrupted', undefined, 'CUT'],
  ['error', 'ERROR', 'CUT'],
  ['other', 'TIMEOUT', 'CUT'],
  ['content-filter', 'content_filter', 'REFUSED']
])('the finish reason %s (%s) is problem %s', (reason, raw, code) => {
  expect(problemOfFinish(reason, raw)?.code).toBe(code)
})
