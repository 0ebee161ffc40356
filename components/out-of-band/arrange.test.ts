import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { expect, test } from 'vitest'
import { arrange } from './arrange.ts'

const last = {
  id: 'oob_1',
  priority: 'normal',
  status: 'injected',
  content: 'News.',
  sessionId: 'build',
  timestamp: 1_773_324_000_000,
  queuedAt: '2026-03-12T14:00:00.000Z'
} as const
/** Returns an edge: "a > b" between sessions, "ci: > b" from a sender without a session. */
const edge = (words: string, count = 1): OobEdge => {
  const [from = '', to = ''] = words.split(' > ')
  return {
    from: from.endsWith(':')
      ? { source: 'external', sourceId: from.slice(0, -1) }
      : { source: 'agent', sourceId: from, sessionId: from, title: '' },
    to: { sessionId: to, title: '', agentName: 'Crew' },
    count,
    last
  }
}

const wordsOf = (names: readonly { words: string }[]) => names.map(({ words }) => words.split(/\W/)[0])

test('senders and receivers are columns, and a session that does both is in both', () => {
  const { senders, receivers, lines, left } = arrange(
    [edge('ci: > review', 3), edge('review > build', 2), edge('docs > build')],
    9
  )
  expect(wordsOf(senders)).toEqual(['ci', 'review', 'docs'])
  expect(senders.map(({ isSession }) => isSession)).toEqual([false, true, true])
  expect(wordsOf(receivers)).toEqual(['review', 'build'])
  expect(lines.map(({ from, to, count }) => [from, to, count])).toEqual([
    [0.5 / 3, 0.25, 3],
    [0.5, 0.75, 2],
    [2.5 / 3, 0.75, 1]
  ])
  expect(left).toBe(0)
})

test('receivers have the order of their senders, so that lines do not cross', () => {
  const { receivers } = arrange([edge('ci: > review', 5), edge('cron: > build', 4), edge('ci: > docs')], 9)
  expect(wordsOf(receivers)).toEqual(['review', 'docs', 'build'])
})

test('a sender that has the same name as a session gets its own row', () => {
  const { senders } = arrange([edge('review > build'), edge('review: > build')], 9)
  expect(senders).toHaveLength(2)
})

test('if there are too many names, only the busiest are drawn and lines to others are omitted', () => {
  const { senders, receivers, lines, left } = arrange([edge('a > b', 5), edge('b > c', 4), edge('c > d')], 2)
  expect(wordsOf(senders)).toEqual(['a', 'b'])
  expect(wordsOf(receivers)).toEqual(['b', 'c'])
  expect(lines).toHaveLength(2)
  expect(left).toBe(2)
})
