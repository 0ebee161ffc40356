import { expect, test } from 'vitest'
import { defaultTiming } from '#lib/kernel/timing.ts'
import { deadAfterSeconds } from './lease.ts'

test('access is checked so often that a reader without it is out within 5 s', () => {
  expect(defaultTiming.accessCheckMs).toBeLessThan(5_000)
})

test('a lost notification costs a reader at most a second', () => {
  expect(defaultTiming.tailPollMs).toBeLessThanOrEqual(1_000)
})

test('a worker counts as dead only after it missed three heartbeats', () => {
  expect(3 * defaultTiming.heartbeatMs).toBeLessThan(deadAfterSeconds * 1000)
})

test('dead workers are looked for more often than workers beat', () => {
  expect(defaultTiming.reapMs).toBeLessThan(defaultTiming.heartbeatMs)
})

test('tools that run when a process stops have three seconds to finish', () => {
  expect(defaultTiming.stopGraceMs).toBe(3_000)
})
