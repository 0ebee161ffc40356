import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Scheduled, schedule } from './commands.ts'
import { play } from './play.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * `WAYSTATION_MODEL_RUNS` (30) and `WAYSTATION_MODEL_SEED` (1): how many schedules are played, and which. A failure prints
 * its seed and path, and the shortest schedule that still fails: put it below as a test of its own, played by `playOn`.
 */
const runs = Number(process.env.WAYSTATION_MODEL_RUNS ?? 30)
const seed = Number(process.env.WAYSTATION_MODEL_SEED ?? 1)
/** On a slow machine as many as there is time for, unless somebody said how many. Milliseconds. */
const limit = process.env.WAYSTATION_MODEL_RUNS === undefined ? { interruptAfterTimeLimit: 40_000 } : {}

let stage: Stage | undefined
let named = 0
let played = 0

/** One stage for many schedules, each in sessions of its own; behind a failure the next one gets a new one. */
async function playOn(schedule: readonly Scheduled[]): Promise<void> {
  const current = stage ?? (await openStage())
  stage = undefined
  await play(current, schedule, () => `s${++named}`).catch(async error => {
    await current.close()
    throw error
  })
  stage = current
  played += 1
}

test('whatever happens to a session, and in which order: its prompts, calls, messages and readers are what the design says, step by step', {
  timeout: 20_000 * runs + 120_000
}, async () => {
  await fc.assert(fc.asyncProperty(schedule, playOn), { seed, numRuns: runs, ...limit })
  expect(played).toBeGreaterThan(0)
})
