import { join } from 'node:path'
import type { Processes } from './cluster.ts'
import type { IsolatedKills, Recovery } from './one-at-a-time.ts'
import { runRounds } from './run-rounds.ts'

/** The kinds of kills, each with its processes and its limit in seconds until all running work continues. */
const kinds: {
  name: string
  processes: Processes
  fault: IsolatedKills['fault']
  within: number
  since: keyof Since
}[] = [
  {
    name: 'a worker of two',
    processes: { webs: 1, workers: 2 },
    fault: 'kill-worker',
    within: 5,
    since: 'sinceKill'
  },
  {
    name: 'a server that is both',
    processes: 'together',
    fault: 'kill-worker',
    within: 5,
    since: 'sinceReturn'
  },
  { name: 'Postgres', processes: 'together', fault: 'kill-postgres', within: 10, since: 'sinceReturn' }
]
type Since = Pick<Recovery, 'sinceKill' | 'sinceReturn'>

/**
 * Maximum milliseconds between words of the model. It makes turns last seconds, so that every kill interrupts some.
 */
const pace = 300

/**
 * Runs each kind of kill `times` times, one at a time, under the usual load. Then checks all guarantees and prints
 * the recovery times. Resolves with the exit code: 1 if a guarantee was broken.
 */
export async function recover(
  times: number,
  seed: number,
  chats: number,
  directory: string
): Promise<number> {
  let code = 0
  for (const [n, { name, processes, fault, within, since }] of kinds.entries()) {
    const load = { seed: seed + n, ms: 0, chats, externals: 1, isolatedKills: [{ fault, times }] }
    const { violations, recoveries, history, figures } = await runRounds(
      [load],
      join(directory, fault),
      undefined,
      {
        processes,
        pace
      }
    )
    const slow = recoveries.filter(recovery => recovery[since] > within)
    console.log(
      `${name} killed ${recoveries.length} times in the middle of ${recoveries.reduce((sum, { sessions }) => sum + sessions, 0)} turns: ` +
        `all went on ${spread(recoveries.map(({ sinceKill }) => sinceKill))} after the kill, ` +
        `${spread(recoveries.map(({ sinceReturn }) => sinceReturn))} after it was back; ${slow.length} later than ${within} s; ` +
        `${figures.messages.acknowledged} acknowledged, ${violations.length} violations (${history})`
    )
    for (const { check, session, what } of violations.slice(0, 50))
      console.error(`${check} (${session}): ${what}`)
    if (violations.length > 0) code = 1
  }
  return code
}

/** Formats values as `p50 3.9 s, p95 4.4 s, max 4.5 s`. */
function spread(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(2)
  return `p50 ${at(0.5)} s, p95 ${at(0.95)} s, max ${sorted.at(-1)?.toFixed(2)} s`
}
