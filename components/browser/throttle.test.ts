import { expect, onTestFinished, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

test('a value that changes faster than the limit is passed on at the limit, and the last one is not lost', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const passed: number[] = []
  const { put, stop } = throttle((value: number) => passed.push(value), 1_000)
  for (let n = 0; n < 30; n++) {
    put(n)
    vi.advanceTimersByTime(100)
  }
  expect(passed).toEqual([9, 19, 29])
  put(30)
  vi.advanceTimersByTime(1_000)
  expect(passed.at(-1)).toBe(30)
  put(31)
  stop()
  vi.advanceTimersByTime(1_000)
  expect(passed.at(-1)).toBe(30)
})
