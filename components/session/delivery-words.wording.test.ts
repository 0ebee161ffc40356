import { expect, test } from 'vitest'
import type { Call } from '#lib/protocol/call.ts'
import type { Delivery } from '#lib/protocol/delivery.ts'
import { transcriptOf } from '#lib/protocol/fold.ts'
import { now as at, states } from '#tests/browser/fixtures/states.ts'
import { messageWords, sentWords } from './delivery-words.ts'
import { faceOf } from './face.ts'

const now = Date.parse(at)
const { snapshot } = states['parked-other']
const call = snapshot.calls.find(call => call.where === 'external') as Call
const delivery = (change: Partial<Delivery>): Delivery => ({
  id: 'dlv_1',
  toolCallId: call.toolCallId,
  kind: 'call.opened',
  to: 'https://acme.example/orders',
  state: 'pending',
  attempts: [],
  retries: 0,
  createdAt: call.since,
  ...change
})
const refused = { at: '2026-03-12T14:02:05.000Z', ms: 5000, status: 503, error: 'It answered 503.' }
const arrived = (clock: string) => [{ at: `2026-03-12T${clock}.000Z`, ms: 80, status: 200 }]

test.each<[string, Delivery]>([
  ['Sent to Acme dispatcher.', delivery({})],
  ['Sent to Acme dispatcher.', delivery({ state: 'delivered', attempts: arrived('14:05:30') })],
  ['Delivered 14:02, no reply yet.', delivery({ state: 'delivered', attempts: arrived('14:02:01') })],
  [
    'Acme dispatcher did not accept it: 503 after 5 s. It is tried again at 14:07.',
    delivery({ attempts: [refused], nextAt: '2026-03-12T14:07:00.000Z' })
  ],
  [
    'Acme dispatcher did not accept it: 503 after 5 s. It is not tried again by itself, and stays open.',
    delivery({ state: 'failed', attempts: [refused] })
  ],
  [
    'Acme dispatcher did not accept it: no answer. (acme.example refused the connection.) It is not tried again by itself, and stays open.',
    delivery({
      state: 'failed',
      attempts: [{ at: refused.at, ms: 4, error: 'acme.example refused the connection.' }]
    })
  ]
])('micro-copy moment 5: “%s”', (words, sent) => {
  expect(sentWords(call, sent, now)).toBe(words)
})

test('a delivery that failed stands in the header, in place of a silent “waiting”', () => {
  const sentence = (deliveries: Record<string, Delivery>) =>
    faceOf(transcriptOf(snapshot), { mayAnswer: true, offline: false, now, deliveries }).sentence
  const failed = delivery({ state: 'failed', attempts: [refused] })
  expect(sentence({})).toBe('Waiting for Acme dispatcher since 14:02')
  expect(sentence({ [call.toolCallId]: failed })).toBe('Acme dispatcher did not accept it: 503 after 5 s')
})

test('a message to another system is sent, then delivered without a reply for a minute, then answered or not accepted (000-19)', () => {
  const sent = (
    state: Delivery['state'],
    attempts: Delivery['attempts'] = [],
    nextAt?: string
  ): Delivery => ({
    id: 'd',
    messageId: 'm',
    kind: 'message',
    to: 'https://acme.example/in',
    state,
    attempts,
    retries: 0,
    createdAt: '2026-03-05T14:02:00.000Z',
    ...(nextAt === undefined ? {} : { nextAt })
  })
  const at = '2026-03-05T14:02:00.000Z'
  const minute = Date.parse(at) + 60_000
  const words = (delivery: Delivery | undefined, now = Date.parse(at), replied = false) =>
    messageWords('Acme', delivery, { now, replied })?.words
  const took = { at, ms: 12, status: 200 }
  expect(words(undefined)).toBeUndefined()
  expect(words(sent('pending'))).toBe('Sent to Acme')
  expect(words(sent('delivered', [took]))).toBe('Sent to Acme')
  expect(words(sent('delivered', [took]), minute)).toMatch(/^Delivered \d\d:02, no reply yet$/)
  expect(words(sent('delivered', [took]), minute, true)).toBeUndefined()
  const refused = { at, ms: 5000, error: 'It did not answer.' }
  expect(words(sent('failed', [refused]))).toBe(
    'Acme did not accept it: no answer after 5 s. Your message is kept.'
  )
  expect(words(sent('failed', [refused]), minute, true)).toContain('did not accept it')
  expect(words(sent('pending', [refused], '2026-03-05T14:07:00.000Z'))).toMatch(
    /^Acme did not accept it: no answer after 5 s\. It is tried again at \d\d:07\.$/
  )
})
