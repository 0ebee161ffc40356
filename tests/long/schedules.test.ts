import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { runSchedules, timeoutFor } from '#tests/engine/reference-model/run-schedules.ts'

/**
 * `WAYSTATION_MODEL_RUNS` (default: 100) sets the number of schedules. `WAYSTATION_MODEL_SEED` (default: random)
 * selects them.
 */
const runs = Number(process.env.WAYSTATION_MODEL_RUNS ?? 100)
const seed = Number(process.env.WAYSTATION_MODEL_SEED ?? randomInt(2 ** 31))

test('in random schedules, prompts, calls, messages and readers match the reference after each step', {
  timeout: timeoutFor(runs)
}, async () => {
  console.info(`The seed is ${seed}. Set WAYSTATION_MODEL_SEED=${seed} to play these schedules again.`)
  expect(await runSchedules({ runs, seed })).toBe(runs)
})
