import fc from 'fast-check'
import { type Scheduled, schedule } from './commands.ts'
import { play } from './play.ts'
import { openStage, type Stage } from './stage.ts'

/** Milliseconds that a number of schedules may take on a busy machine. */
export const patience = (runs: number): number => 20_000 * runs + 120_000

/**
 * Plays schedules against the reference and returns how many ran. All of them share a stage and each has sessions of its
 * own. After a failure the next one gets a new stage. A failure prints its seed, its path and the shortest schedule that
 * still fails: add that one to `schedules.test.ts` as a test of its own.
 */
export async function playSchedules({ runs, seed }: { runs: number; seed: number }): Promise<number> {
  let stage: Stage | undefined
  let named = 0
  let played = 0
  const playOn = async (schedule: readonly Scheduled[]) => {
    const current = stage ?? (await openStage())
    stage = undefined
    await play(current, schedule, () => `s${++named}`).catch(async error => {
      await current.close()
      throw error
    })
    stage = current
    played += 1
  }
  await fc.assert(fc.asyncProperty(schedule, playOn), { seed, numRuns: runs })
  return played
}
