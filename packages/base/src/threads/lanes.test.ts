import { expect, test } from 'vitest'
import { lanesOf } from './lanes.ts'

test('22 A4: workspaces take turns, the users within each workspace too, and a full lane accepts nothing', () => {
  const lanes = lanesOf<string>(3)
  for (const [lane, item] of [
    ['a ann', 'a1'],
    ['a ann', 'a2'],
    ['a ann', 'a3'],
    ['a bob', 'a4'],
    ['b', 'b1'],
    ['b', 'b2']
  ] as const)
    expect(lanes.add(lane, item)).toBe(true)
  expect(lanes.add('a ann', 'one too many')).toBe(false)
  const next = () => lanes.next() ?? 'none'
  expect([next(), next(), next()]).toEqual(['a1', 'b1', 'a4'])
  lanes.add('c', 'c1')
  expect([next(), next(), next(), next(), next()]).toEqual(['b2', 'a2', 'c1', 'a3', 'none'])
})
