import { toolLimitsOf } from '@waystation/protocol/call/tool-settings.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryDelay } from './retry-delay.ts'

const settings = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 20 }),
  initialDelaySeconds: fc.double({ min: 0, max: 3600, noNaN: true }),
  maxDelaySeconds: fc.double({ min: 0, max: 86_400, noNaN: true }),
  multiplier: fc.double({ min: 1, max: 10, noNaN: true }),
  maxRetryAfterSeconds: fc.double({ min: 0, max: 86_400, noNaN: true })
})
const attempts = fc.integer({ min: 0, max: 30 })
const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

test('001-18: a delay is between the minimum and the exponential bound, and never exceeds the maximum', () => {
  fc.assert(
    fc.property(settings, attempts, chance, (retry, attempt, at) => {
      const delay = retryDelay(retry, attempt, undefined, () => at)
      const bound = Math.min(retry.maxDelaySeconds, retry.initialDelaySeconds * retry.multiplier ** attempt)
      expect(delay).toBeLessThanOrEqual(Math.max(0.1, bound))
      expect(delay).toBeGreaterThanOrEqual(0.1)
      if (at * bound > 0.1) expect(delay).toBe(at * bound)
    })
  )
})

test('001-18: delays are spread evenly over the whole range, including its lower half', () => {
  const { retry } = toolLimitsOf({ retry: { initialDelaySeconds: 8, maxDelaySeconds: 1000 } })
  const delays = Array.from({ length: 4000 }, (_, n) => retryDelay(retry, 2, undefined, () => n / 4000))
  for (const quarter of [0, 1, 2, 3]) {
    const inside = delays.filter(delay => delay >= quarter * 8 && delay < (quarter + 1) * 8)
    expect(inside.length).toBeGreaterThan(950)
  }
})

test('001-18: a delay that the provider requests is waited in full, up to the cap, without randomness', () => {
  fc.assert(
    fc.property(
      settings,
      attempts,
      chance,
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      (retry, attempt, at, requestedMs) => {
        const delay = retryDelay(retry, attempt, requestedMs, () => at)
        expect(delay).toBe(Math.max(0.1, Math.min(requestedMs / 1000, retry.maxRetryAfterSeconds)))
      }
    )
  )
})
