import type { Machine } from './machine.ts'
import { spreadOf } from './percentiles.ts'
import type { Measured } from './report.ts'

/** The measurements of one round of `--goals`. */
export type GoalRound = Pick<Measured, 'work' | 'served' | 'throughput' | 'memory'>

type Goal = {
  what: string
  unit: 'ms' | 'MB' | ''
  /** The largest value that meets the goal, or the smallest if `atLeast` is true. */
  goal: number
  atLeast?: true
  of: (round: GoalRound) => number | undefined
}

const streams = ({ served }: GoalRound) => served.loads.find(({ count }) => count === 200)?.ours

/** The goals of `docs/bench.md` that need no other server and no large database. */
const goals: readonly Goal[] = [
  { what: 'CPU of a turn in Node', unit: 'ms', goal: 5.5, of: round => round.throughput.inTurn.node },
  { what: 'CPU of a turn in Postgres', unit: 'ms', goal: 3.5, of: round => round.throughput.inTurn.postgres },
  { what: 'Statements of a turn', unit: '', goal: 28, of: round => round.work.statements },
  { what: 'Commits of a turn', unit: '', goal: 4, of: round => round.work.commits },
  {
    what: '200 sessions at once, one message each: turns a second',
    unit: '',
    goal: 130,
    atLeast: true,
    of: round => round.throughput.once.perSecond
  },
  {
    what: '200 sessions at once, five in turn: turns a second',
    unit: '',
    goal: 160,
    atLeast: true,
    of: round => round.throughput.inTurn.perSecond
  },
  {
    what: 'First word of an idle server, p50',
    unit: 'ms',
    goal: 8,
    of: round => spreadOf(round.throughput.firstWords.ours).p50
  },
  {
    what: 'First word of an idle server, p99',
    unit: 'ms',
    goal: 25,
    of: round => spreadOf(round.throughput.firstWords.ours).p99
  },
  {
    what: '200 streams: delay of a word, p99',
    unit: 'ms',
    goal: 200,
    of: round =>
      spreadOf(
        streams(round)
          ?.received.flat()
          .map(({ lag }) => lag) ?? []
      ).p99
  },
  {
    what: '200 streams: CPU of the server per word',
    unit: 'ms',
    goal: 0.06,
    of: round => streams(round)?.server
  },
  { what: 'Memory at rest', unit: 'MB', goal: 180, of: round => round.memory.rest },
  { what: 'Memory right after 1,200 turns at once', unit: 'MB', goal: 450, of: round => round.memory.busy },
  { what: 'Memory 30 s later', unit: 'MB', goal: 210, of: round => round.memory.later }
]

/** Formats the goals with the median of the rounds as a Markdown table. */
export function goalsReport(
  { cpu, cores, memoryGb, node }: Machine,
  speedMs: number,
  rounds: readonly GoalRound[]
): string {
  const lines = goals.map(({ what, unit, goal, atLeast = false, of }) => {
    const values = rounds.flatMap(round => of(round) ?? [])
    if (values.length === 0) return `| ${what} | ${goal} | not measured | | |`
    const median = spreadOf(values).p50
    const met = atLeast ? median >= goal : median <= goal
    const cells = [
      what,
      `${atLeast ? '≥' : '≤'} ${goal} ${unit}`,
      `${round(median)} ${unit}`,
      values.map(round).join(', ')
    ]
    return `| ${cells.map(cell => cell.trim()).join(' | ')} | ${met ? 'met' : '**missed**'} |`
  })
  return [
    `${cores} cores (${cpu}), ${memoryGb} GB, Node ${node}, fixed work in ${speedMs.toFixed(0)} ms.`,
    '',
    '| measure | goal | median | rounds | |',
    '|---|---|---|---|---|',
    ...lines
  ].join('\n')
}

const round = (value: number): string =>
  value < 1 ? value.toFixed(2) : value < 20 ? value.toFixed(1) : Math.round(value).toString()
