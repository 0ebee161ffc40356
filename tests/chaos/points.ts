import { existsSync, readFileSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Failpoint, failpoints } from '#lib/kernel/failpoint.ts'

/** What is done to whoever passes a failpoint. */
export const acts = ['crash', 'wait', 'fail'] as const

/** What an armed process is told: from one act to the next it takes about `gap` milliseconds, and notes everything in `file`. */
export type Arms = { seed: number; gap: number; file: string }

/** How often each point was passed, and what was done there. */
export type Points = Record<Failpoint, Record<'passed' | (typeof acts)[number], number>>

/** While this file is there nothing is done. */
export const calmed = (file: string) => `${file}.calm`

/** The failpoints of all processes of a stage. */
export function pointsIn(directory: string, seed: number, gap: number) {
  const file = join(directory, `points-${seed}.txt`)
  // Of an earlier run.
  rmSync(file, { force: true })
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return {
    /** For the environment of a process that is to be armed. */
    settings: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'armed.ts')).href}`,
      WAYSTATION_TEST_POINTS: JSON.stringify({ seed, gap, file } satisfies Arms)
    },
    calm: () => writeFile(calmed(file), ''),
    arm: () => rm(calmed(file), { force: true }),
    /** Whether this process died at one of them. */
    killed: (pid: number | undefined) => lines().some(line => line.endsWith(` crash ${pid}`)),
    count(): Points {
      const none = () => ({ passed: 0, crash: 0, wait: 0, fail: 0 })
      const points = Object.fromEntries(failpoints.map(point => [point, none()])) as Points
      for (const line of lines()) {
        const [point, what] = line.split(' ')
        if (point !== '' && what !== undefined) points[point as Failpoint][what as 'passed'] += 1
      }
      return points
    }
  }
}

/** A run says something only of points that were passed this often, and where something was done. */
const leastPassed = 100

/** The points of which a run says nothing. */
export const untried = (points: Points): string[] =>
  failpoints.filter(
    point => points[point].passed < leastPassed || acts.every(act => points[point][act] === 0)
  )
