import type { OobPriority, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionStatus } from '@waystation/protocol/session/event.ts'
import { expect, test } from 'vitest'
import { dueIn, heldOutcome, replacementOf, replaces } from './out-of-band-words.ts'

const told = (id: string, more: Partial<OutOfBand> = {}): OutOfBand => ({
  id,
  sessionId: 's',
  timestamp: 0,
  source: 'user',
  sourceId: 'Ada',
  priority: 'normal',
  content: id,
  status: 'visible',
  queuedAt: `2026-03-05T14:0${id}:00.000Z`,
  ...more
})
const redirect = (relatedTo: string) => ({ metadata: { action: 'redirect' as const, relatedTo } })

test.each<[SessionStatus, OobPriority, string]>([
  ['running', 'critical', 'Before the next tool call'],
  ['running', 'high', 'Before the next step'],
  ['running', 'normal', 'Before the next step'],
  ['running', 'low', 'When the turn ends'],
  ['parked', 'high', 'At once'],
  ['parked', 'normal', 'When the turn continues'],
  ['idle', 'critical', 'At once'],
  ['idle', 'high', 'With the next message'],
  ['failed', 'low', 'With the next message']
])('in a session that is %s, the agent receives a %s message: %s', (status, priority, words) => {
  expect(dueIn({ priority, metadata: {} }, status)).toBe(words)
})

test('an external agent receives every message at once', () => {
  expect(dueIn({ priority: 'low', metadata: { action: 'abort' } }, 'idle', true)).toBe('At once')
})

test('004-17: only a redirect of the same sender about an earlier message replaces it, and the newest one counts', () => {
  const first = told('1')
  const [second, third] = [told('2', redirect('1')), told('3', redirect('1'))]
  expect(replaces(second, first)).toBe(true)
  expect(replaces(told('2', { ...redirect('1'), sourceId: 'Bob' }), first)).toBe(false)
  expect(replaces(told('2', { ...redirect('1'), source: 'agent' }), first)).toBe(false)
  expect(replaces(told('2', { metadata: { relatedTo: '1', action: 'enhance' } }), first)).toBe(false)
  expect(replaces(told('2', redirect('unknown')), undefined)).toBe(false)
  const all = { 1: first, 2: second, 3: third }
  expect(replacementOf(first, all)).toBe(third)
  const removed = { ...all, 3: { ...third, status: 'cancelled' as const } }
  expect(replacementOf(first, removed)).toBe(second)
  expect(replacementOf(third, all)).toBeUndefined()
})

test('the outcome of a held message names who decided it', () => {
  expect(heldOutcome(told('1', { approvedBy: 'Ada' }))).toBe('Approved by Ada.')
  expect(heldOutcome(told('1', { status: 'cancelled', cancelledBy: 'Bob' }))).toBe('Removed by Bob.')
  expect(heldOutcome(told('1', { approvedBy: 'The answer link sent to acme.example' }))).toBe(
    'Approved by the answer link sent to acme.example.'
  )
  expect(heldOutcome(told('1', { status: 'expired' }))).toBe('Expired without an approval.')
})
