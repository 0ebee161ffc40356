import { ApiError } from '@waystation/base/api-error.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '#lib/kernel/ctx.ts'
import { openStreamsWith } from './open-streams.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const reader: Actor = { kind: 'key', keyId: 'k', name: 'K', role: 'viewer', workspaceId: 'w' }

test('22 A4: one timer checks the access of each open stream in time, and ends streams that lost access', async () => {
  const streams = openStreamsWith(() => () => undefined, 4_000)
  const checks: number[][] = []
  const open = (n: number, check = async () => {}) => {
    checks[n] = [performance.now()]
    return streams(reader, async () => {
      checks[n]?.push(performance.now())
      await check()
    })
  }
  const opened: ReturnType<typeof streams>[] = []
  for (let n = 0; n < 300; n++) {
    opened.push(open(n))
    await vi.advanceTimersByTimeAsync((n * 7) % 40)
    // Close some of them in between.
    if (n % 3 === 2) opened[(n * 7) % n]?.leave()
  }
  expect(vi.getTimerCount()).toBe(1)
  const refused = open(300, async () => {
    throw new ApiError('UNAUTHENTICATED', 'Gone.')
  })
  const unlucky = open(301, async () => {
    throw new Error('The database cannot be reached.')
  })
  await vi.advanceTimersByTimeAsync(20_000)
  expect((refused.signal.reason as ApiError).code).toBe('UNAUTHENTICATED')
  expect(unlucky.signal.aborted).toBe(false)
  expect(checks[301]?.length).toBeGreaterThan(4)
  const gaps = checks.flatMap(times => times.slice(1).map((time, i) => time - (times[i] ?? 0)))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(4_000)
  // Streams that are due at the same moment are checked together.
  const moments = new Set(checks.flatMap(times => times.filter(time => time > performance.now() - 4_000)))
  expect(moments.size).toBeLessThanOrEqual(9)
  for (const stream of [...opened, refused, unlucky]) stream.leave()
  expect(vi.getTimerCount()).toBe(0)
})
