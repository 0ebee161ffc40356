import { expect, test } from 'vitest'
import { faults, plan } from './plan.ts'

test('the same seed plans the same faults at the same times, and another seed plans others', () => {
  expect(plan(7, 60_000)).toEqual(plan(7, 60_000))
  expect(plan(8, 60_000)).not.toEqual(plan(7, 60_000))
})

test('each kind of fault occurs once before any kind repeats, and excluded kinds never occur', () => {
  const first = plan(7, 600_000).slice(0, faults.length)
  expect(new Set(first.map(({ fault }) => fault))).toEqual(new Set(faults))
  expect(plan(7, 600_000, { without: ['lose-jobs'] }).some(({ fault }) => fault === 'lose-jobs')).toBe(false)
})
