import type { Violation } from './check.ts'
import type { History, Line, Operation, RecordedFault, Verb } from './history.ts'
import { type Fault, faults } from './plan.ts'
import type { Points } from './points.ts'
import type { State } from './state.ts'

/** The result of a run in numbers. */
export type Figures = {
  operations: Record<Verb, Record<Operation['outcome'], number>>
  faults: Record<Fault, number>
  /** Accepted messages, replies and out-of-band messages, and how many of them broke a guarantee. */
  messages: { acknowledged: number; lost: number; doubled: number; reordered: number }
  /** Events that readers saw, and the number of their connections. */
  read: { events: number; connections: number }
  effects: number
  /** The final statuses of out-of-band messages, and the number of calls that they superseded. */
  outOfBand: Record<'injected' | 'acknowledged' | 'cancelled' | 'superseded', number>
  /** How often each failpoint was passed, and how often each action ran there. */
  points?: Points
  /** Seconds from each isolated fault until all work continues. */
  goOn: Record<Fault, number[]>
}

/** Computes the figures of one round. */
export function figuresOf(lines: readonly Line[], state: State, violations: readonly Violation[]): Figures {
  const figures = emptyFigures()
  for (const line of lines) {
    if (line.kind === 'operation') {
      figures.operations[line.verb][line.outcome] += 1
      if (
        line.outcome === 'ok' &&
        (line.verb === 'send' || line.verb === 'callback' || line.verb === 'send-oob')
      )
        figures.messages.acknowledged += 1
    } else if (line.kind === 'fault') {
      figures.faults[line.fault] += 1
      const seconds = recoverySeconds(line, lines, state)
      if (seconds !== undefined) figures.goOn[line.fault].push(seconds)
    } else {
      figures.read.events += line.received.length
      figures.read.connections += 1
    }
  }
  for (const { check } of violations)
    if (check === 'lost' || check === 'doubled' || check === 'reordered') figures.messages[check] += 1
  figures.effects = state.effects.length
  for (const { log, outOfBand } of state.sessions) {
    for (const { status } of outOfBand)
      if (status in figures.outOfBand) figures.outOfBand[status as 'injected'] += 1
    for (const { event } of log)
      if (event.type === 'call' && event.call.errorText?.startsWith('Superseded'))
        figures.outOfBand.superseded += 1
  }
  return figures
}

export const emptyFigures = (): Figures => ({
  operations: {
    send: noOutcomes(),
    answer: noOutcomes(),
    cancel: noOutcomes(),
    callback: noOutcomes(),
    'send-oob': noOutcomes(),
    'cancel-oob': noOutcomes()
  },
  faults: perFault(() => 0),
  messages: { acknowledged: 0, lost: 0, doubled: 0, reordered: 0 },
  read: { events: 0, connections: 0 },
  effects: 0,
  outOfBand: { injected: 0, acknowledged: 0, cancelled: 0, superseded: 0 },
  goOn: perFault(() => [])
})

const noOutcomes = () => ({ ok: 0, failed: 0, unknown: 0 })
const perFault = <T>(make: () => T) =>
  Object.fromEntries(faults.map(fault => [fault, make()])) as Record<Fault, T>

/** Adds the figures of a round to the sum. */
export function addFigures(sum: Figures, more: Figures): void {
  for (const verb of Object.keys(sum.operations) as Verb[])
    addCounts(sum.operations[verb], more.operations[verb])
  addCounts(sum.faults, more.faults)
  addCounts(sum.messages, more.messages)
  addCounts(sum.read, more.read)
  addCounts(sum.outOfBand, more.outOfBand)
  sum.effects += more.effects
  for (const fault of faults) sum.goOn[fault].push(...more.goOn[fault])
}

function addCounts<Name extends string>(sum: Record<Name, number>, more: Record<Name, number>): void {
  for (const name of Object.keys(sum) as Name[]) sum[name] += more[name]
}

/**
 * Returns the seconds until all running work continues, that is, until each running turn has its next event in the
 * log.
 * The time starts when a worker is killed, or when Postgres, the connection or a stopped worker is back. For a web
 * server it runs from the kill until its first response.
 * Returns undefined if nothing was running, for faults without recovery, near lost jobs, and if another process was
 * down.
 */
function recoverySeconds(fault: RecordedFault, lines: readonly Line[], state: State): number | undefined {
  if (isNearLostJobs(fault, lines)) return undefined
  const seconds = secondsAfter(fault, lines, state)
  return seconds === undefined || overlapsOther(fault, lines, seconds) ? undefined : seconds
}

function secondsAfter(fault: RecordedFault, lines: readonly Line[], state: State): number | undefined {
  switch (fault.fault) {
    case 'kill-web': {
      const answers = lines.flatMap(line =>
        line.kind === 'operation' && line.web === fault.target && line.ended > fault.startedAt
          ? [line.ended]
          : []
      )
      return answers.length === 0 ? undefined : (Math.min(...answers) - fault.startedAt) / 1000
    }
    case 'kill-worker':
    case 'stop-worker':
    case 'lose-jobs':
      return secondsUntilAllContinue(fault.startedAt, state)
    case 'kill-postgres':
    case 'stop-postgres':
    case 'stall':
    case 'lose-commit':
      return secondsUntilAllContinue(fault.ended, state)
    default:
      return undefined
  }
}

/** Returns whether another fault overlaps the recovery. Then the time is not the recovery time of this fault alone. */
const overlapsOther = (fault: RecordedFault, lines: readonly Line[], seconds: number): boolean =>
  lines.some(
    line =>
      line !== fault &&
      line.kind === 'fault' &&
      /^(kill|stop|stall)/.test(line.fault) &&
      line.startedAt < fault.ended + seconds * 1000 &&
      line.ended > fault.startedAt
  )

/** Returns whether lost jobs delay the recovery: the next sweep, once a minute, finds their work. */
const isNearLostJobs = ({ startedAt }: RecordedFault, lines: readonly Line[]): boolean =>
  lines.some(
    line =>
      line.kind === 'fault' &&
      line.fault === 'lose-jobs' &&
      line.startedAt < startedAt &&
      startedAt < line.ended + 65_000
  )

function secondsUntilAllContinue(since: number, { sessions }: State): number | undefined {
  const waits = sessions.flatMap(({ log }) => {
    // Messages of clients are in the log too, even while all servers are down.
    const next = log.find(
      ({ at, event }) => Date.parse(at) > since && (event.type === 'chunk' || event.type === 'status')
    )
    if (next === undefined || !wasRunningAt(log, since)) return []
    return [(Date.parse(next.at) - since) / 1000]
  })
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** Returns whether a turn was running at this time. */
function wasRunningAt(log: State['sessions'][number]['log'], time: number): boolean {
  const last = log.findLast(({ at, event }) => Date.parse(at) <= time && event.type === 'status')?.event
  return last?.type === 'status' && last.status === 'running' && last.outcome === undefined
}

/** Returns the number of servers killed by the nemesis or at a failpoint. */
export const serversKilled = ({ faults, points }: Figures): number =>
  faults['kill-worker'] +
  faults['kill-web'] +
  Object.values(points ?? {}).reduce((sum, { crash }) => sum + crash, 0)

/** Formats the figures as lines of text. */
export function formatFigures(figures: Figures, { path }: Pick<History, 'path'>): string[] {
  const { operations, messages, read, effects, outOfBand, goOn: resume } = figures
  const occurred = faults.filter(fault => figures.faults[fault] > 0)
  return [
    ...Object.entries(operations).map(
      ([verb, { ok, failed, unknown }]) => `${verb}: ${ok} ok, ${failed} failed, ${unknown} unknown`
    ),
    `faults: ${occurred.map(fault => `${fault} ${figures.faults[fault]}`).join(', ')}`,
    `messages: ${messages.acknowledged} acknowledged, ${messages.lost} lost, ${messages.doubled} doubled, ${messages.reordered} reordered`,
    `readers: ${read.events} events on ${read.connections} connections; effects of tools: ${effects}`,
    `out of band: ${outOfBand.injected + outOfBand.acknowledged} told, ${outOfBand.acknowledged} of them acknowledged, ${outOfBand.cancelled} taken back, ${outOfBand.superseded} calls superseded`,
    ...Object.entries(figures.points ?? {}).map(
      ([point, { passed, crash, wait, fail }]) =>
        `${point}: passed ${passed} times, ${crash} crashes, ${wait} waits, ${fail} failures`
    ),
    // Crashes at failpoints are not planned, so the recovery times of isolated faults are unknown in such a run.
    ...(figures.points === undefined ? occurred : []).flatMap(fault => {
      const seconds = resume[fault].toSorted((a, b) => a - b)
      if (seconds.length === 0) return []
      const p50 = seconds[Math.floor(seconds.length / 2)]?.toFixed(2)
      return [
        `goes on after ${fault}: p50 ${p50} s, max ${seconds.at(-1)?.toFixed(2)} s (n ${seconds.length})`
      ]
    }),
    `history: ${path}`
  ]
}
