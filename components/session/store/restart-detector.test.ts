import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noticeAbsence } from './restart-detector.ts'
import { keepIn } from '#components/browser/storage.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

test('a server that has run for less long than the line was down was restarted', () => {
  const absence = noticeAbsence(keepIn(undefined), 's')
  expect(absence.up(100)).toBeUndefined()
  pass(60)
  absence.down()
  pass(14)
  expect(absence.up(3)).toBe(14_000)
})

test('a connection that breaks while the server runs is not a restart, and neither is a missing one', () => {
  const absence = noticeAbsence(keepIn(undefined), 's')
  expect(absence.up(1)).toBeUndefined()
  absence.down()
  pass(14)
  expect(absence.up(500)).toBeUndefined()
})

test('the page that a reload makes knows when the one before it had its line', () => {
  const keep = keepIn(undefined)
  const before = noticeAbsence(keep, 's')
  before.up(1000)
  pass(3600)
  before.stop()
  pass(8)
  expect(noticeAbsence(keep, 's').up(2)).toBe(8_000)
  expect(noticeAbsence(keep, 'another').up(2)).toBeUndefined()
})

test('the length of an outage is shown only if a connection existed when it began', () => {
  const keep = keepIn(undefined)
  const before = noticeAbsence(keep, 's')
  before.up(1000)
  before.stop()
  pass(272)
  expect(noticeAbsence(keep, 's').up(2)).toBe(0)
})

test('a reload right after the notice shows it again, a later one does not', () => {
  const keep = keepIn(undefined)
  const before = noticeAbsence(keep, 's')
  before.up(1000)
  before.down()
  pass(9)
  before.up(2)
  before.stop()
  pass(3)
  const after = noticeAbsence(keep, 's')
  expect(after.up(5)).toBe(9_000)
  after.stop()
  pass(100)
  expect(noticeAbsence(keep, 's').up(105)).toBeUndefined()
})

test('a user who returns after a day sees no notice of earlier restarts', () => {
  const absence = noticeAbsence(keepIn(undefined), 's')
  absence.up(10)
  absence.down()
  pass(86_400)
  expect(absence.up(60)).toBeUndefined()
})
