import { expect, test } from 'vitest'
import { expectNothingLost } from '#tests/support/fakes/broken-streams.ts'

// `tests/long/stream-disconnects.test.ts` reads a hundred thousand events.
test('two hundred connections break at any byte of five thousand events: no reader misses one, hears one twice, or in another order', async () => {
  const { lost, torn } = await expectNothingLost({ sessions: 10, length: 500, losses: 20 })
  expect(lost).toBeGreaterThanOrEqual(200)
  expect(torn).toBeGreaterThan(60)
})
