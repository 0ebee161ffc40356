import { seeded } from './seeded.ts'

/**
 * What is done to the processes.
 *
 * - `kill-worker`, `kill-web`, `kill-postgres`: SIGKILL; each is started again at once.
 * - `stop-worker`, `stop-web`: SIGSTOP, and SIGCONT after `ms`.
 * - `stop-postgres`: the same with all processes of Postgres.
 * - `stall`: between the servers and Postgres nothing passes for `ms`: a Postgres, or a network, that stands still.
 * - `lose-commit`: Postgres commits, and the connection breaks before the server hears of it; `count` times.
 * - `lose-answer`: the same with a statement that is a transaction by itself.
 * - `double-jobs`, `delay-jobs`, `lose-jobs`: waiting jobs are there twice, come up to 2 s late and in another order,
 *   or not at all.
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

/** One thing that is done: `at` milliseconds after the beginning, to the process of this number where it is to one. */
export type Planned = { at: number; fault: Fault; target: number; ms: number; count: number }

/** How often each comes, beside the others. */
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
 * The faults of a run of `ms` milliseconds, the same for the same seed; `every`: milliseconds from one to the next, at most
 * (at least a sixth of it). `without`: faults that this run shall not have.
 * The first of each kind comes in a drawn order before any comes a second time, so that a short run has many.
 */
export function plan(
  seed: number,
  ms: number,
  { every = 5_000, without = [] }: { every?: number | undefined; without?: readonly Fault[] | undefined } = {}
): Planned[] {
  const gap = { least: every / 6, most: every }
  const random = seeded(seed, 'nemesis')
  const possible = faults.filter(fault => !without.includes(fault))
  const fresh = [...possible]
  const draw = () => {
    if (fresh.length === 0) return random.weighed(possible, fault => weights[fault])
    const fault = random.weighed(fresh, one => weights[one])
    fresh.splice(fresh.indexOf(fault), 1)
    return fault
  }
  const planned: Planned[] = []
  for (let at = gap.least; at < ms; at += gap.least + random.below(gap.most - gap.least))
    planned.push({
      at,
      fault: draw(),
      target: random.below(1 << 16),
      // A worker counts as dead after 3.5 s: some stops are shorter, some longer.
      ms: 300 + random.below(5_700),
      count: 1 + random.below(4)
    })
  return planned
}
