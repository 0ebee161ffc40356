import type { Call } from '@waystation/protocol/call/call.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { expect, test } from 'vitest'
import { now as at, states } from '#tests/browser/fixtures/states.ts'
import { messageWords, sentWords } from './delivery-words.ts'
import { faceOf } from './session-status.ts'

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
const refused = {
  at: '2026-03-12T14:02:05.000Z',
  ms: 5000,
  status: 503,
  error: 'The endpoint responded with 503.'
}
const arrived = (clock: string) => [{ at: `2026-03-12T${clock}.000Z`, ms: 80, status: 200 }]

test.each<[string, Delivery]>([
  ['Sent to Acme dispatcher.', delivery({})],
  ['Sent to Acme dispatcher.', delivery({ state: 'delivered', attempts: arrived('14:05:30') })],
  ['Delivered 14:02, no reply yet.', delivery({ state: 'delivered', attempts: arrived('14:02:01') })],
  [
    "Acme dispatcher didn't accept the call: 503 after 5 s. The server retries the call at 14:07.",
    delivery({ attempts: [refused], nextAt: '2026-03-12T14:07:00.000Z' })
  ],
  [
    "Acme dispatcher didn't accept the call: 503 after 5 s. The server won't retry, but the call stays open.",
    delivery({ state: 'failed', attempts: [refused] })
  ],
  [
    "Acme dispatcher didn't accept the call: no response. (acme.example refused the connection.) The server won't retry, but the call stays open.",
    delivery({
      state: 'failed',
      attempts: [{ at: refused.at, ms: 4, error: 'acme.example refused the connection.' }]
    })
  ]
])('a call to an external service is described as “%s”', (words, sent) => {
  expect(sentWords(call, sent, now)).toBe(words)
})

test('a failed delivery is shown in the header instead of “waiting”', () => {
  const sentence = (deliveries: Record<string, Delivery>) =>
    faceOf(transcriptOf(snapshot), { mayAnswer: true, offline: false, now, deliveries }).sentence
  const failed = delivery({ state: 'failed', attempts: [refused] })
  expect(sentence({})).toBe('Waiting for Acme dispatcher since 14:02')
  expect(sentence({ [call.toolCallId]: failed })).toBe(
    "Acme dispatcher didn't accept the call: 503 after 5 s"
  )
})

test('000-19: a message to an external agent is shown as sent, as delivered after a minute without a reply, or as failed', () => {
  const at = '2026-03-05T14:02:00.000Z'
  const minute = Date.parse(at) + 60_000
  const words = (delivery: MessageDelivery | undefined, now = Date.parse(at), replied = false) =>
    messageWords('Acme', delivery, { now, replied })?.words
  expect(words(undefined)).toBeUndefined()
  expect(words({ state: 'pending' })).toBe('Sent to Acme')
  expect(words({ state: 'delivered', at })).toBe('Sent to Acme')
  expect(words({ state: 'delivered', at }, minute)).toMatch(/^Delivered \d\d:02, no reply yet$/)
  expect(words({ state: 'delivered', at }, minute, true)).toBeUndefined()
  expect(words({ state: 'delivered', at, stopped: true }, minute)).toBe('Asked Acme to stop')
  expect(words({ state: 'failed', reason: 503, at })).toBe(
    "Acme didn't accept the message: 503. Your message is saved."
  )
  expect(words({ state: 'failed', reason: 'timeout', at }, minute, true)).toBe(
    "Acme didn't respond within 5 seconds. Your message is saved."
  )
  expect(words({ state: 'failed', at })).toBe("Acme couldn't be reached. Your message is saved.")
  expect(words({ state: 'pending', reason: 502, at, nextAt: '2026-03-05T14:07:00.000Z' })).toMatch(
    /^Acme didn't accept the message: 502\. The server will retry at \d\d:07\.$/
  )
})
