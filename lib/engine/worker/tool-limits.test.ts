import { expect, test } from 'vitest'
import { defaultPace } from '#lib/kernel/pace.ts'
import { deadAfterSeconds } from './lease.ts'

test('access is checked so often that a reader without it is out within 5 s', () => {
  expect(defaultPace.accessCheckMs).toBeLessThan(5_000)
})

test('a lost notification costs a reader at most a second', () => {
  expect(defaultPace.tailPollMs).toBeLessThanOrEqual(1_000)
})

test('a worker counts as dead only after it missed three heartbeats', () => {
  expect(3 * defaultPace.heartbeatMs).toBeLessThan(deadAfterSeconds * 1000)
})

test('dead workers are looked for more often than workers beat', () => {
  expect(defaultPace.reapMs).toBeLessThan(defaultPace.heartbeatMs)
})

test('tools that run when a process stops have three seconds to finish', () => {
  expect(defaultPace.stopGraceMs).toBe(3_000)
})
