import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { patience, playSchedules } from '#tests/engine/reference-model/play-schedules.ts'

/** `WAYSTATION_MODEL_RUNS` (100) and `WAYSTATION_MODEL_SEED` (a new one each time): how many schedules, and which. */
const runs = Number(process.env.WAYSTATION_MODEL_RUNS ?? 100)
const seed = Number(process.env.WAYSTATION_MODEL_SEED ?? randomInt(2 ** 31))

test('random schedules: after each step prompts, calls, messages and readers are the ones of the reference', {
  timeout: patience(runs)
}, async () => {
  console.info(`The seed is ${seed}. Set WAYSTATION_MODEL_SEED=${seed} to play these schedules again.`)
  expect(await playSchedules({ runs, seed })).toBe(runs)
})
