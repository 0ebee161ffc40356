import { transcriptOf } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { now, type StateName, states } from '#tests/browser/fixtures/states.ts'
import { faceOf, failedLine, whyOf } from './session-status.ts'

const face = (name: StateName) => {
  const { snapshot, me, line } = states[name]
  return faceOf(transcriptOf(snapshot), {
    mayAnswer: me.may?.answer ?? true,
    approvers: me.approvers,
    offline: line === 'down',
    now: Date.parse(now)
  })
}

test.each<[StateName, string]>([
  ['empty', 'No messages yet'],
  ['running', 'Working · web-fetch · 4 s'],
  ['parked', 'Waiting for you until 19 Mar 14:02'],
  ['parked-other', 'Waiting for Acme dispatcher since 14:02'],
  ['both', 'Waiting for you and 1 external system'],
  ['failed', 'Retry at 14:07: the model answered 429.'],
  ['reconnecting', 'Reconnecting… Unsent answers are saved'],
  ['not-mine', 'Waiting for an approver of this workspace']
])('the state %s has its own shape and the text “%s”', (name, sentence) => {
  expect(face(name)).toEqual({ kind: name, sentence })
})

test('the text of a failure that ends with a quote has one punctuation mark at its end', () => {
  const { snapshot } = states.failed
  const error = {
    code: 'UNKNOWN' as const,
    message: 'The model rejected it: “Bad prompt.”',
    retryable: false
  }
  const { retryAt: _, ...failed } = transcriptOf(snapshot)
  const shown = faceOf(
    { ...failed, error },
    { mayAnswer: true, approvers: undefined, offline: false, now: Date.parse(now) }
  )
  expect(shown.sentence).toBe('Stopped: the model rejected it: “Bad prompt.”')
})

test('several requests for the user are counted in the header and in the row of the session', () => {
  const { snapshot } = states.both
  const shown = faceOf(transcriptOf(snapshot), {
    mayAnswer: true,
    requests: 2,
    offline: false,
    now: Date.parse(now)
  })
  expect(shown.sentence).toBe('2 requests for you and 1 external system')
  const calls = [...snapshot.calls, ...snapshot.calls]
  expect(whyOf(calls, Date.parse(now))).toBe('2 requests')
})

test('a row shows why its session waits, users before external systems', () => {
  const calls = states.both.snapshot.calls
  expect(whyOf(calls, Date.parse(now))).toBe('Fetch example.com/stations/lower-weir')
  expect(whyOf(states['parked-other'].snapshot.calls, Date.parse(now))).toBe('Acme dispatcher · 4 min')
})

test('the row of a failed turn shows the reason in one sentence, and the time of the retry', () => {
  const { error, retryAt } = states.failed.snapshot
  expect(failedLine(error, retryAt, Date.parse(now))).toBe('Retry at 14:07: The model answered 429')
  expect(failedLine(undefined, undefined, undefined)).toBe('the turn failed')
})
