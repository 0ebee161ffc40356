import { expect, test } from 'vitest'
import { tokenRatio } from './token-ratio.ts'

const steps = (...ratios: number[]) =>
  ratios.map(ratio => ({ model: 'a/b', estimated: 1000, reported: 1000 * ratio }))

test('001-17: the median of the newest reports corrects the estimate, so a single outlier changes nothing', () => {
  expect(tokenRatio([], 'a/b')).toBe(1)
  expect(tokenRatio(steps(1.2), 'a/b')).toBe(1.2)
  expect(tokenRatio(steps(1.2, 1.4), 'a/b')).toBeCloseTo(1.3)
  expect(tokenRatio(steps(1.2, 9, 1.3, 0.2, 1.25), 'a/b')).toBe(1.25)
  // Newest first. Reports older than five steps are ignored.
  expect(tokenRatio(steps(2, 2, 2, 2, 2, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6), 'a/b')).toBe(2)
})

test('001-17: a correction is between 0.5 and 3, and impossible reports are ignored', () => {
  expect(tokenRatio(steps(7), 'a/b')).toBe(3)
  expect(tokenRatio(steps(0.2), 'a/b')).toBe(0.5)
  expect(tokenRatio(steps(0, 0.01, 11, Number.NaN, Number.POSITIVE_INFINITY, -2), 'a/b')).toBe(1)
  expect(tokenRatio(steps(0, 0, 0, 0, 0, 0, 1.5), 'a/b')).toBe(1.5)
  expect(tokenRatio([{ model: 'a/b', estimated: 0, reported: 50 }], 'a/b')).toBe(1)
})

test('001-17: the reports of one model do not affect another model', () => {
  expect(tokenRatio([...steps(2), { model: 'c/d', estimated: 10, reported: 8 }], 'c/d')).toBe(0.8)
  expect(tokenRatio(steps(2), 'c/d')).toBe(1)
})
