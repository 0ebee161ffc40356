import { expect, test } from 'vitest'
import { expectNothingLost } from '#tests/support/fakes/broken-streams.ts'

test('a thousand connections break at any byte of a hundred thousand events, and each reader gets every event once and in order', async () => {
  const { lost, torn } = await expectNothingLost({ sessions: 10, length: 10_000, losses: 100 })
  expect(lost).toBeGreaterThanOrEqual(1_000)
  expect(torn).toBeGreaterThan(300)
}, 300_000)
