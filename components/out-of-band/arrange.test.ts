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

test('names that send more than they receive are placed higher, so that most arcs point down', () => {
  const { nodes, arcs, left } = arrange(
    [edge('ci: > review', 3), edge('review > build'), edge('review > docs'), edge('docs > build')],
    9
  )
  expect(nodes.map(({ words }) => words.split(/\W/)[0])).toEqual(['ci', 'docs', 'review', 'build'])
  expect(nodes.map(({ isSession }) => isSession)).toEqual([false, true, true, true])
  expect(arcs.map(({ from, to, count }) => [from, to, count])).toEqual([
    [0, 2, 3],
    [2, 3, 1],
    [2, 1, 1],
    [1, 3, 1]
  ])
  expect(left).toBe(0)
})

test('a sender that has the same name as a session gets its own node', () => {
  const claims = edge('review: > build')
  const { nodes } = arrange([edge('review > build'), claims], 9)
  expect(nodes).toHaveLength(3)
})

test('if there are too many names, only the busiest are drawn and arcs to others are omitted', () => {
  const { nodes, arcs, left } = arrange([edge('a > b', 5), edge('b > c', 4), edge('c > d'), edge('d > e')], 3)
  expect(nodes.map(({ words }) => words).sort()).toEqual(['a', 'b', 'c'])
  expect(arcs).toHaveLength(2)
  expect(left).toBe(2)
})

test('arc ends at one name are spread, with those from above first and the longest outermost, and a single end is in the middle', () => {
  const { nodes, arcs } = arrange([edge('a > c', 9), edge('b > c', 5), edge('c > d')], 9)
  expect(nodes.map(({ words }) => words)).toEqual(['a', 'b', 'd', 'c'])
  const ends = Object.fromEntries(arcs.map(({ id, start, end }) => [id, { start, end }]))
  expect(ends['session a > session c']).toEqual({ start: 0, end: -1 })
  expect(ends['session b > session c']).toEqual({ start: 0, end: 0 })
  expect(ends['session c > session d']).toEqual({ start: 1, end: 0 })
})
