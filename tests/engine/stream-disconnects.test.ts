import { expect, test } from 'vitest'
import { expectNothingLost } from '#tests/support/fakes/broken-streams.ts'

// `tests/long/stream-disconnects.test.ts` reads a hundred thousand events.
test('two hundred connections break at arbitrary bytes of five thousand events: no reader misses, repeats or reorders an event', async () => {
  const { lost, torn } = await expectNothingLost({ sessions: 10, length: 500, losses: 20 })
  expect(lost).toBeGreaterThanOrEqual(200)
  expect(torn).toBeGreaterThan(60)
})
