import { expect, test } from 'vitest'
import { lanesOf } from './lanes.ts'

test('22 A4: workspaces take turns, in each of them those who wait there, and a full lane takes no more', () => {
  const lanes = lanesOf<string>(3)
  for (const [lane, thing] of [
    ['a ann', 'a1'],
    ['a ann', 'a2'],
    ['a ann', 'a3'],
    ['a bob', 'a4'],
    ['b', 'b1'],
    ['b', 'b2']
  ] as const)
    expect(lanes.add(lane, thing)).toBe(true)
  expect(lanes.add('a ann', 'one too many')).toBe(false)
  const next = () => lanes.next() ?? 'none'
  expect([next(), next(), next()]).toEqual(['a1', 'b1', 'a4'])
  lanes.add('c', 'c1')
  expect([next(), next(), next(), next(), next()]).toEqual(['b2', 'a2', 'c1', 'a3', 'none'])
})
