import { existsSync, readFileSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Failpoint, failpoints } from '#lib/kernel/failpoint.ts'

/** The actions at a failpoint. */
export const failpointActions = ['crash', 'wait', 'fail'] as const

/**
 * The settings of an armed process: the average milliseconds between two actions, and the file that records every
 * pass.
 */
export type FailpointSettings = { seed: number; gap: number; file: string }

/** How often each failpoint was passed, and how often each action ran there. */
export type Points = Record<Failpoint, Record<'passed' | (typeof failpointActions)[number], number>>

/** Returns the path of the file that disarms all failpoints while it exists. */
export const disarmFile = (file: string) => `${file}.calm`

/** Manages the failpoints of all processes of a stage. */
export function pointsIn(directory: string, seed: number, gap: number) {
  const file = join(directory, `points-${seed}.txt`)
  // Removes the file of an earlier run.
  rmSync(file, { force: true })
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return {
    /** Environment variables for a process to arm. */
    settings: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'arm-failpoints.ts')).href}`,
      WAYSTATION_TEST_POINTS: JSON.stringify({ seed, gap, file } satisfies FailpointSettings)
    },
    disarm: () => writeFile(disarmFile(file), ''),
    arm: () => rm(disarmFile(file), { force: true }),
    /** Returns whether this process crashed at a failpoint. */
    killed: (pid: number | undefined) => lines().some(line => line.endsWith(` crash ${pid}`)),
    count(): Points {
      const noCounts = () => ({ passed: 0, crash: 0, wait: 0, fail: 0 })
      const points = Object.fromEntries(failpoints.map(point => [point, noCounts()])) as Points
      for (const line of lines()) {
        const [point, what] = line.split(' ')
        if (point !== '' && what !== undefined) points[point as Failpoint][what as 'passed'] += 1
      }
      return points
    }
  }
}

/** A failpoint is tested only if it was passed this often and an action ran there. */
const minPassed = 100

/** Returns the failpoints that the run did not test. */
export const findUntested = (points: Points): string[] =>
  failpoints.filter(
    point => points[point].passed < minPassed || failpointActions.every(act => points[point][act] === 0)
  )
