import { OutboundError } from '@waystation/egress'
import * as oauth from 'openid-client'
import { expect, test } from 'vitest'
import { late, otherProvider, unknown } from './authorization-url.ts'
import { providerErrorOf } from './providers/provider-error.ts'

const errorResponse = (error: string, description?: string) =>
  new oauth.AuthorizationResponseError('no', {
    cause: new URLSearchParams({ error, ...(description && { error_description: description }) })
  })

test.each<[what: string, error: unknown, sentence: string]>([
  [
    'consent that the user denied',
    errorResponse('access_denied', 'the person said no'),
    'Acme returned the error access_denied: the person said no.'
  ],
  ['a code of another user', errorResponse('invalid_grant'), 'Acme returned the error invalid_grant.'],
  [
    'an address that egress rules block',
    new OutboundError('NETWORK', 'a.test is not a known host.'),
    'Acme could not be reached: a.test is not a known host.'
  ],
  [
    'a response from another provider',
    Object.assign(new Error('no'), { code: 'OAUTH_INVALID_RESPONSE' }),
    'The response from Acme cannot be used: it does not match the request, or came from another issuer.'
  ]
])('the error for %s is a sentence', (_, error, sentence) => {
  expect(providerErrorOf('Acme', error).message).toBe(sentence)
})

test.each([
  [late, 'This connection link has expired. Go back to where you started and connect again.'],
  [unknown, 'This connection link is not valid. Go back to where you started and connect again.'],
  [
    otherProvider,
    'You started this connection in another browser. Continue in that browser, or connect again in this one.'
  ]
])('a page on which nothing can be connected says what to do', (message, sentence) => {
  expect(message).toBe(sentence)
})
