import { APICallError } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { describeModelError } from './model-error.ts'

const api = (statusCode: number | undefined, more: object = {}) =>
  new APICallError({ message: 'no', url: 'https://api.example', requestBodyValues: {}, statusCode, ...more })
const errnoError = (code: string) => Object.assign(new Error(code), { code })

test.each<[what: string, error: unknown, sentence: string | RegExp]>([
  [
    'an unreachable address',
    api(undefined, { cause: errnoError('ECONNREFUSED') }),
    'The model provider cannot be reached: it refused the connection.'
  ],
  [
    'a used quota',
    api(429, { message: 'Limited to 1000 API calls / month.' }),
    'The quota of the model provider for this account is used up. Raise it, or wait until it is renewed.'
  ],
  ['a rate limit', api(429, { responseHeaders: { 'retry-after': '3' } }), /wait 3 seconds/],
  [
    'a rejected request',
    api(400, { message: 'Unknown parameter: foo.' }),
    'The model provider rejected the request (400): “Unknown parameter: foo.”'
  ],
  ['a request that is too large', api(413), 'The request is too large for the model provider (413).'],
  [
    'a response that ended early',
    api(200, { cause: errnoError('UND_ERR_SOCKET') }),
    "The model's answer was cut off before it was complete."
  ],
  [
    'an unknown error',
    new Error('undefined is not a function'),
    'The model call failed for an unknown reason. Try again, and contact the server operator if it keeps failing.'
  ]
])('%s is described in a sentence', (_, error, sentence) => {
  const { message } = describeModelError(error)
  if (typeof sentence === 'string') expect(message).toBe(sentence)
  else expect(message).toMatch(sentence)
  expect(message).toMatch(/^[A-Z“].*[.”]$/s)
})
