import { expect, test } from 'vitest'
import { runSchedules, timeoutFor } from './run-schedules.ts'

const runs = 8

test('in eight fixed schedules, prompts, calls, messages and readers match the reference after each step', {
  timeout: timeoutFor(runs)
}, async () => {
  expect(await runSchedules({ runs, seed: 1 })).toBe(runs)
})
