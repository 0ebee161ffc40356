/**
 * Standard Webhooks signatures that other implementations published. Neither `lib/deliveries/sign.ts` nor the
 * `standardwebhooks` package made them. Read on 2026-11-25:
 *
 * - The reference vector: `standard-webhooks/standard-webhooks` at b2fa7b8 (2026-08-17). The Go, Java, C#, Ruby, PHP,
 *   Python and JavaScript suites share it (`libraries/go/webhook_test.go`, `TestWebhookSign`).
 * - Svix: docs.svix.com, "Verifying Webhooks Manually", the example signature.
 * - OpenAI: `openai/openai-python`, `tests/lib/test_webhooks.py`, the constants at the top.
 * - The foreign `v1` and `v2` signatures: `libraries/javascript/src/webhook.test.ts`, "multi sig payload is valid".
 * - The `v1a` signature: `spec/standard-webhooks.md`, section "Webhook headers".
 */
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Proof, signatureHeaders, verifySignature } from './sign.ts'

type Vector = { name: string; secret: string; id: string; timestamp: string; body: string; signature: string }

const reference: Vector = {
  name: 'the reference implementations',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
}

const vectors: Vector[] = [
  reference,
  {
    name: 'Svix',
    secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
    id: 'msg_loFOjxBNrRLzqYUf',
    timestamp: '1731705121',
    body: '{"event_type":"ping","data":{"success":true}}',
    signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0='
  },
  {
    name: 'OpenAI',
    secret: 'whsec_RdvaYFYUXuIFuEbvZHwMfYFhUf7aMYjYcmM24+Aj40c=',
    id: 'wh_685c059ae39c8190af8c71ed1022a24d',
    timestamp: '1750861210',
    body: '{"id": "evt_685c059ae3a481909bdc86819b066fb6", "object": "event", "created_at": 1750861210, "type": "response.completed", "data": {"id": "resp_123"}}',
    signature: 'v1,gUAg4R2hWouRZqRQG4uJypNS8YK885G838+EHb4nKBY='
  }
]

const foreign = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc='
const asymmetric =
  'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=='

/** Signs by the specification's "Signature scheme", without a webhook library. */
const signByHand = ({ secret, id, timestamp, body }: Vector) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

/** Sets the clock to this many seconds after the signature was made. Only `Date` is replaced. */
function setClock({ timestamp }: Vector, secondsLater = 0): void {
  vi.useFakeTimers({ toFake: ['Date'], now: (Number(timestamp) + secondsLater) * 1000 })
}

const verify = (vector: Vector, change: Partial<Proof & { secret: string; body: string }> = {}) => {
  const { secret, body, ...proof } = { ...vector, ...change }
  return verifySignature([secret], proof, body)
}

afterEach(() => {
  vi.useRealTimers()
})

describe.each(vectors)('the published signature of $name', vector => {
  test('equals an HMAC-SHA256 computed by hand', () => {
    expect(signByHand(vector)).toBe(vector.signature)
  })

  test('equals our signature for the same secret, ID, time and body', () => {
    setClock(vector)
    expect(signatureHeaders([vector.secret], vector.id, vector.body)).toEqual({
      'webhook-id': vector.id,
      'webhook-timestamp': vector.timestamp,
      'webhook-signature': vector.signature
    })
  })

  test('is valid up to five minutes before and after its time, and not a second longer', () => {
    for (const [secondsLater, accepted] of [
      [-301, false],
      [-300, true],
      [0, true],
      [300, true],
      [301, false]
    ] as const) {
      setClock(vector, secondsLater)
      expect(verify(vector), `${secondsLater} s`).toBe(accepted)
    }
  })

  test('is not valid for another ID, time, body or secret', () => {
    setClock(vector)
    const anotherSecret = vectors.find(({ secret }) => secret !== vector.secret)?.secret ?? ''
    expect(verify(vector)).toBe(true)
    expect(verify(vector, { id: `${vector.id}x` })).toBe(false)
    expect(verify(vector, { timestamp: String(Number(vector.timestamp) + 1) })).toBe(false)
    expect(verify(vector, { body: `${vector.body} ` })).toBe(false)
    expect(verify(vector, { secret: anotherSecret })).toBe(false)
  })
})

test('one valid signature among several is enough, in any position', () => {
  setClock(reference)
  const others = [foreign, foreign.replace('v1', 'v2'), asymmetric]
  for (let position = 0; position <= others.length; position++) {
    const signature = others.toSpliced(position, 0, reference.signature).join(' ')
    expect(verify(reference, { signature }), signature).toBe(true)
  }
  expect(verify(reference, { signature: others.join(' ') })).toBe(false)
})

test('a valid signature under another version is refused', () => {
  setClock(reference)
  const [, value = ''] = reference.signature.split(',')
  for (const version of ['v1a', 'v2', 'V1', 'v', ''])
    expect(verify(reference, { signature: `${version},${value}` }), version).toBe(false)
  expect(verify(reference, { signature: value })).toBe(false)
})

test('a signature that is truncated, empty or missing is refused', () => {
  setClock(reference)
  for (const signature of [
    'v1,',
    'v1',
    '',
    ' ',
    reference.signature.slice(0, 8),
    reference.signature.slice(0, -1)
  ])
    expect(verify(reference, { signature }), JSON.stringify(signature)).toBe(false)
})

test('an ID or a timestamp that is missing or not a number is refused', () => {
  setClock(reference)
  expect(verify(reference, { id: '' })).toBe(false)
  for (const timestamp of ['', 'now', 'NaN']) expect(verify(reference, { timestamp }), timestamp).toBe(false)
})

test('while two secrets are valid, a delivery has a signature for each, and either secret verifies it', () => {
  setClock(reference)
  const next = 'whsec_plJ3nmyCDGBKInavdOK15jsl'
  const headers = signatureHeaders([next, reference.secret], reference.id, reference.body)
  expect(headers['webhook-signature']?.split(' ')).toEqual([
    signByHand({ ...reference, secret: next }),
    reference.signature
  ])
  const proof = { ...reference, signature: headers['webhook-signature'] ?? '' }
  for (const secrets of [[next], [reference.secret], [foreign.slice(3), next]])
    expect(verifySignature(secrets, proof, reference.body)).toBe(true)
})

test('without a secret nothing is signed and nothing is accepted', () => {
  setClock(reference)
  expect(signatureHeaders([], reference.id, reference.body)).toEqual({})
  expect(verifySignature([], reference, reference.body)).toBe(false)
})
