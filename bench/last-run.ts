import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Machine } from './machine.ts'
import type { Row } from './report.ts'

/** A stored run: its rows, its commit, and the time of the fixed piece of work under its best conditions. */
export type Run = { at: string; commit: string; machine: Machine; speedMs: number; rows: Row[] }

/** The last run on this machine. Not committed, because figures of different machines cannot be compared. */
const file = '.data/bench/last.json'

/** Returns the last stored run; undefined if there is none. */
export function lastRun(): Run | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Run
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Stores a run for the comparison with the next one. */
export function storeRun(run: Run): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(run))
}

/** Returns the short hash of the checked-out commit, or `unknown` outside a Git repository. */
export function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return 'unknown'
  }
}

/** Identifies a row across runs: its text without the remark in parentheses, which can contain counts. */
export const keyOf = ({ what }: Row): string => what.split(' (')[0] ?? what

/** Returns the figure of a row to compare: the percentile that its ratio is about, or the number. */
export const figureOf = ({ ours, of }: Row): number => (typeof ours === 'number' ? ours : ours[of ?? 'p50'])
