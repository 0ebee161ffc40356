import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { openStreamsWith } from './open-streams.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const reader: Actor = { kind: 'key', keyId: 'k', name: 'K', role: 'viewer', workspaceId: 'w' }

test('22 A4: one timer checks the access of each open stream within its time, and ends those that are refused', async () => {
  const streams = openStreamsWith(() => () => undefined, 4_000)
  const looks: number[][] = []
  const open = (n: number, look = async () => {}) => {
    looks[n] = [performance.now()]
    return streams(reader, async () => {
      looks[n]?.push(performance.now())
      await look()
    })
  }
  const opened: ReturnType<typeof streams>[] = []
  for (let n = 0; n < 300; n++) {
    opened.push(open(n))
    await vi.advanceTimersByTimeAsync((n * 7) % 40)
    // Some go again, in no order.
    if (n % 3 === 2) opened[(n * 7) % n]?.leave()
  }
  expect(vi.getTimerCount()).toBe(1)
  const refused = open(300, async () => {
    throw new Refusal('UNAUTHENTICATED', 'Gone.')
  })
  const unlucky = open(301, async () => {
    throw new Error('The database cannot be reached.')
  })
  await vi.advanceTimersByTimeAsync(20_000)
  expect((refused.signal.reason as Refusal).code).toBe('UNAUTHENTICATED')
  expect(unlucky.signal.aborted).toBe(false)
  expect(looks[301]?.length).toBeGreaterThan(4)
  const gaps = looks.flatMap(times => times.slice(1).map((time, i) => time - (times[i] ?? 0)))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(4_000)
  // Those of one moment are asked for together.
  const moments = new Set(looks.flatMap(times => times.filter(time => time > performance.now() - 4_000)))
  expect(moments.size).toBeLessThanOrEqual(9)
  for (const one of [...opened, refused, unlucky]) one.leave()
  expect(vi.getTimerCount()).toBe(0)
})
