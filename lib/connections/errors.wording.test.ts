import * as oauth from 'openid-client'
import { expect, test } from 'vitest'
import { OutboundError } from '#lib/net/outbound-error.ts'
import { elsewhere, late, unknown } from './depart.ts'
import { refusalOf } from './providers/refused.ts'

const answered = (error: string, description?: string) =>
  new oauth.AuthorizationResponseError('no', {
    cause: new URLSearchParams({ error, ...(description && { error_description: description }) })
  })

test.each<[what: string, error: unknown, sentence: string]>([
  [
    'a no of the person',
    answered('access_denied', 'the person said no'),
    'Acme answered access_denied: the person said no.'
  ],
  ['a code that is another’s', answered('invalid_grant'), 'Acme answered invalid_grant.'],
  [
    'an address that is not let through',
    new OutboundError('NETWORK', 'a.test is not a known host.'),
    'Acme could not be reached: a.test is not a known host.'
  ],
  [
    'an answer from elsewhere',
    Object.assign(new Error('no'), { code: 'OAUTH_INVALID_RESPONSE' }),
    'Acme’s answer cannot be used: it does not belong to what was asked, or came from another issuer.'
  ]
])('%s is told in a sentence', (_, error, sentence) => {
  expect(refusalOf('Acme', error).message).toBe(sentence)
})

test.each([
  [late, 'Its time is over: go back to where you began, and begin again.'],
  [unknown, 'This address opens nothing. Go back to where you began, and begin again.'],
  [
    elsewhere,
    'This was begun in another browser. Go on there, or go back to where you began and begin again here.'
  ]
])('a page where nothing can be connected says what to do', (said, sentence) => {
  expect(said).toBe(sentence)
})
