import fc from 'fast-check'
import { type Scheduled, schedule } from './commands.ts'
import { runSchedule } from './run-schedule.ts'
import { startTestSystem, type TestSystem } from './test-system.ts'

/** Returns the time limit for this many schedules on a busy machine, in milliseconds. */
export const timeoutFor = (runs: number): number => 20_000 * runs + 120_000

/**
 * Plays schedules against the reference and returns how many ran. They share a stage, and each has its own
 * sessions. After a failure the next schedule gets a new stage. A failure prints its seed, its path and the
 * shortest failing schedule: add it to `schedules.test.ts` as its own test.
 */
export async function runSchedules({ runs, seed }: { runs: number; seed: number }): Promise<number> {
  let system: TestSystem | undefined
  let sessionCount = 0
  let playedCount = 0
  const playOn = async (schedule: readonly Scheduled[]) => {
    const current = system ?? (await startTestSystem())
    system = undefined
    await runSchedule(current, schedule, () => `s${++sessionCount}`).catch(async error => {
      await current.close()
      throw error
    })
    system = current
    playedCount += 1
  }
  await fc.assert(fc.asyncProperty(schedule, playOn), { seed, numRuns: runs })
  return playedCount
}
