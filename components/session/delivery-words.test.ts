import { expect, test } from 'vitest'
import type { Call } from '#lib/protocol/call.ts'
import type { Delivery } from '#lib/protocol/delivery.ts'
import { transcriptOf } from '#lib/protocol/fold.ts'
import { now as at, states } from '#tests/e2e/fixtures/states.ts'
import { sentWords } from './delivery-words.ts'
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
    'Acme dispatcher did not accept it: no answer after 0.0 s. (acme.example refused the connection.) It is not tried again by itself, and stays open.',
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
