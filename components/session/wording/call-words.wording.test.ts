import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { age, clock, left, length } from '#components/browser/format-time.ts'
import { deadlineWords, durationOf, expiredWords, outcomeOf, winnerWords } from './call-words.ts'
import { describeCall } from './describe-call.ts'

// The texts show local times, so the test data is in local time too.
const local = (day: number, clock: string) => new Date(`2026-03-${day}T${clock}:00`).toISOString()
const now = Date.parse(local(12, '14:06'))
const call = {
  toolName: 'web-fetch',
  input: { url: 'https://example.com/a' },
  kind: 'approval',
  since: local(12, '14:02'),
  deadline: local(13, '14:02'),
  onDeadline: 'declined',
  state: 'open'
} as Call

test('a card describes the effect of its button with the most relevant argument', () => {
  expect(describeCall(call)).toEqual({
    title: 'Fetch https://example.com/a',
    short: 'Fetch example.com/a',
    button: 'Fetch page',
    why: '',
    says: ['url']
  })
  expect(describeCall({ toolName: 'create-issue', input: { title: 'Leak' } })).toMatchObject({
    title: 'Create issue: Leak',
    button: 'Create issue'
  })
  expect(describeCall({ toolName: 'frobnicate', input: {} })).toMatchObject({
    title: 'Frobnicate',
    button: 'Approve'
  })
})

test('a tool’s own texts replace the defaults', () => {
  const render = { kind: 'approval', title: 'Read the page', act: 'Read it', why: 'It is public.' }
  expect(describeCall({ ...call, render })).toEqual({
    title: 'Read the page',
    short: 'Read the page',
    button: 'Read it',
    why: 'It is public.',
    says: []
  })
})

test('a response with an error status is not shown as a plain success', () => {
  const output = { url: 'https://example.com/a', status: 404, contentType: 'text/html', text: 'Not found' }
  const done = { ...call, kind: 'server', state: 'answered', output } as Call
  expect(outcomeOf(done, now)).toBe('HTTP 404')
  expect(outcomeOf({ ...done, output: { ...output, status: 200 } }, now)).toBe('done')
  expect(outcomeOf({ ...done, output: { status: 404, count: 2 } }, now)).toBe('done')
  const approved = {
    ...call,
    state: 'approved',
    answeredBy: 'Ana',
    ranAt: local(12, '14:03'),
    output
  } as Call
  expect(outcomeOf(approved, now)).toBe('approved by Ana, HTTP 404')
})

test('a call that an external system answered names no person, and has a duration', () => {
  const settled = { state: 'answered', answeredBy: 'Run a canary', settledAt: local(12, '14:03') } as const
  const system = { ...call, kind: 'external', ...settled, via: 'callback' } as Call
  expect([outcomeOf(system, now), durationOf(system, now)]).toEqual(['done', '1 min'])
  expect(outcomeOf({ ...system, answeredBy: 'Ana', via: 'page' }, now)).toBe('answered by Ana')
})

test('a deadline is shown as a time, and in the last fifth of the wait with its automatic effect', () => {
  expect(deadlineWords(call, now)).toEqual({
    late: false,
    words: '24 h left',
    outcome: 'Without an answer by Fri 14:02, it is declined.'
  })
  expect(deadlineWords(call, Date.parse(local(13, '13:04')))).toEqual({
    late: true,
    words: 'Declines in 58 min',
    outcome: 'Without an answer by 14:02, it is declined.'
  })
  expect(expiredWords({ ...call, state: 'expired' }, Date.parse(local(13, '15:00')))).toBe(
    'No answer by 14:02, so it was declined. The agent has been notified.'
  )
})

test('the user who answered first is named', () => {
  expect(winnerWords({ state: 'approved', answeredBy: 'Ana', at: local(12, '14:03') }, now)).toBe(
    'Ana approved this at 14:03.'
  )
})

test('a call with an unknown outcome is never shown as failed or done', () => {
  const lost = {
    ...call,
    kind: 'server',
    state: 'failed',
    errorText: 'Outcome unknown: the server stopped while this ran.'
  } as Call
  expect(outcomeOf(lost, now)).toBe('outcome unknown')
})

test('lengths, ages and remaining times are abbreviated', () => {
  expect([20, 400, 8_000, 192_000, 7_500_000, 183_600_000].map(length)).toEqual([
    '<0.1 s',
    '0.4 s',
    '8 s',
    '3 min 12 s',
    '2 h 5 min',
    '2 d 3 h'
  ])
  expect(age(local(10, '14:00'), now)).toBe('2d')
  expect([left(local(18, '14:02'), now), left(local(12, '15:40'), now)]).toEqual(['6 d', '2 h'])
  expect([12, 13, 25].map(day => clock(local(day, '14:02'), now))).toEqual([
    '14:02',
    'Fri 14:02',
    '25 Mar 14:02'
  ])
})
