import { expect, test } from 'vitest'
import { patience, playSchedules } from './run-schedules.ts'

const runs = 8

test('in eight fixed schedules, prompts, calls, messages and readers match the reference after each step', {
  timeout: patience(runs)
}, async () => {
  expect(await playSchedules({ runs, seed: 1 })).toBe(runs)
})
