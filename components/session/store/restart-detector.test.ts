import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storageIn } from '#components/browser/storage.ts'
import { restartDetector } from './restart-detector.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

test('a server whose uptime is shorter than the outage was restarted', () => {
  const absence = restartDetector(storageIn(undefined), 's')
  expect(absence.up(100)).toBeUndefined()
  pass(60)
  absence.down()
  pass(14)
  expect(absence.up(3)).toBe(14_000)
})

test('a broken connection to a running server is not a restart, and neither is the first connection', () => {
  const absence = restartDetector(storageIn(undefined), 's')
  expect(absence.up(1)).toBeUndefined()
  absence.down()
  pass(14)
  expect(absence.up(500)).toBeUndefined()
})

test('after a reload, the page knows when the previous page was connected', () => {
  const keep = storageIn(undefined)
  const before = restartDetector(keep, 's')
  before.up(1000)
  pass(3600)
  before.stop()
  pass(8)
  expect(restartDetector(keep, 's').up(2)).toBe(8_000)
  expect(restartDetector(keep, 'another').up(2)).toBeUndefined()
})

test('the length of a long outage is unknown if no page was connected when it started', () => {
  const keep = storageIn(undefined)
  const before = restartDetector(keep, 's')
  before.up(1000)
  before.stop()
  pass(272)
  expect(restartDetector(keep, 's').up(2)).toBe(0)
})

test('a reload right after the notice shows it again, but a later reload does not', () => {
  const keep = storageIn(undefined)
  const before = restartDetector(keep, 's')
  before.up(1000)
  before.down()
  pass(9)
  before.up(2)
  before.stop()
  pass(3)
  const after = restartDetector(keep, 's')
  expect(after.up(5)).toBe(9_000)
  after.stop()
  pass(100)
  expect(restartDetector(keep, 's').up(105)).toBeUndefined()
})

test('a user who returns after a day sees no notice of earlier restarts', () => {
  const absence = restartDetector(storageIn(undefined), 's')
  absence.up(10)
  absence.down()
  pass(86_400)
  expect(absence.up(60)).toBeUndefined()
})
