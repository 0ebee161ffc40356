import { seeded } from './seeded.ts'

/**
 * The kinds of faults.
 *
 * - `kill-worker`, `kill-web`, `kill-postgres`: SIGKILL. The process restarts at once.
 * - `stop-worker`, `stop-web`: SIGSTOP, and SIGCONT after `ms`.
 * - `stop-postgres`: the same for all processes of Postgres.
 * - `stall`: nothing passes between the servers and Postgres for `ms`, as if the database or the network hung.
 * - `lose-commit`: Postgres commits, and the connection breaks before the server gets the response, `count` times.
 * - `lose-answer`: the same for a statement without an explicit transaction.
 * - `double-jobs`, `delay-jobs`, `lose-jobs`: pending jobs are duplicated, delayed by up to 2 s and reordered, or
 *   deleted.
 */
export const faults = [
  'kill-worker',
  'kill-web',
  'kill-postgres',
  'stop-worker',
  'stop-web',
  'stop-postgres',
  'stall',
  'lose-commit',
  'lose-answer',
  'double-jobs',
  'delay-jobs',
  'lose-jobs'
] as const
export type Fault = (typeof faults)[number]

/**
 * A planned fault: `at` milliseconds after the start of the run, on the process with index `target` (modulo their
 * number).
 */
export type Planned = { at: number; fault: Fault; target: number; ms: number; count: number }

/** The relative frequency of each fault. */
const weights: Record<Fault, number> = {
  'kill-worker': 8,
  'kill-web': 5,
  'kill-postgres': 4,
  'stop-worker': 4,
  'stop-web': 3,
  'stop-postgres': 2,
  stall: 3,
  'lose-commit': 6,
  'lose-answer': 3,
  'double-jobs': 2,
  'delay-jobs': 2,
  'lose-jobs': 1
}

/**
 * Plans the faults of a run of `ms` milliseconds, the same for the same seed. The gap between two faults is at most
 * `every` milliseconds, and at least a sixth of it. `without` excludes faults.
 * Each kind occurs once, in random order, before any kind repeats. So even a short run has many kinds.
 */
export function plan(
  seed: number,
  ms: number,
  { every = 5_000, without = [] }: { every?: number | undefined; without?: readonly Fault[] | undefined } = {}
): Planned[] {
  const gap = { least: every / 6, most: every }
  const random = seeded(seed, 'nemesis')
  const possible = faults.filter(fault => !without.includes(fault))
  const unused = [...possible]
  const draw = () => {
    if (unused.length === 0) return random.weighed(possible, fault => weights[fault])
    const fault = random.weighed(unused, kind => weights[kind])
    unused.splice(unused.indexOf(fault), 1)
    return fault
  }
  const planned: Planned[] = []
  for (let at = gap.least; at < ms; at += gap.least + random.below(gap.most - gap.least))
    planned.push({
      at,
      fault: draw(),
      target: random.below(1 << 16),
      // A worker is considered dead after 3.5 s: some stops are shorter, some longer.
      ms: 300 + random.below(5_700),
      count: 1 + random.below(4)
    })
  return planned
}
