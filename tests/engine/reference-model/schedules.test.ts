import { expect, test } from 'vitest'
import { patience, playSchedules } from './play-schedules.ts'

const runs = 8

test('eight fixed schedules: after each step prompts, calls, messages and readers are the ones of the reference', {
  timeout: patience(runs)
}, async () => {
  expect(await playSchedules({ runs, seed: 1 })).toBe(runs)
})
