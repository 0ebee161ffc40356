import { expect, test } from 'vitest'
import { defaultTiming } from '#lib/kernel/timing.ts'
import { deadAfterSeconds } from './lease.ts'

test('access is checked at least every 5 s, so a reader who loses it is disconnected in time', () => {
  expect(defaultTiming.accessCheckMs).toBeLessThan(5_000)
})

test('a lost notification delays a reader by at most a second', () => {
  expect(defaultTiming.tailPollMs).toBeLessThanOrEqual(1_000)
})

test('a worker is dead only after it missed three heartbeats', () => {
  expect(3 * defaultTiming.heartbeatMs).toBeLessThan(deadAfterSeconds * 1000)
})

test('dead workers are searched for more often than workers send heartbeats', () => {
  expect(defaultTiming.reapMs).toBeLessThan(defaultTiming.heartbeatMs)
})

test('running tools have three seconds to finish when a process stops', () => {
  expect(defaultTiming.stopGraceMs).toBe(3_000)
})
