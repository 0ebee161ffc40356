import type { Violation } from './check.ts'
import type { Faulted, History, Line, Operation, Verb } from './history.ts'
import { type Fault, faults } from './plan.ts'
import type { Points } from './points.ts'
import type { State } from './state.ts'

/** What a run came to. */
export type Figures = {
  operations: Record<Verb, Record<Operation['outcome'], number>>
  faults: Record<Fault, number>
  /** Messages, replies and what was told out of band: accepted, and what became of them against the promise. */
  messages: { acknowledged: number; lost: number; doubled: number; reordered: number }
  /** Events that readers saw, on so many connections. */
  read: { events: number; connections: number }
  effects: number
  /** How out-of-band messages ended, and how many calls they superseded. */
  outOfBand: Record<'injected' | 'acknowledged' | 'cancelled' | 'superseded', number>
  /** How often each failpoint was passed, and what was done there. */
  points?: Points
  /** From a fault that came alone until things go on, in seconds, each. */
  goOn: Record<Fault, number[]>
}

/** Counts a round. */
export function figuresOf(lines: readonly Line[], state: State, violations: readonly Violation[]): Figures {
  const figures = noFigures()
  for (const line of lines) {
    if (line.kind === 'operation') {
      figures.operations[line.verb][line.outcome] += 1
      if (line.outcome === 'ok' && (line.verb === 'send' || line.verb === 'callback' || line.verb === 'tell'))
        figures.messages.acknowledged += 1
    } else if (line.kind === 'fault') {
      figures.faults[line.fault] += 1
      const seconds = goesOn(line, lines, state)
      if (seconds !== undefined) figures.goOn[line.fault].push(seconds)
    } else {
      figures.read.events += line.seen.length
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

export const noFigures = (): Figures => ({
  operations: {
    send: none(),
    answer: none(),
    cancel: none(),
    callback: none(),
    tell: none(),
    'take-back': none()
  },
  faults: forEach(() => 0),
  messages: { acknowledged: 0, lost: 0, doubled: 0, reordered: 0 },
  read: { events: 0, connections: 0 },
  effects: 0,
  outOfBand: { injected: 0, acknowledged: 0, cancelled: 0, superseded: 0 },
  goOn: forEach(() => [])
})

const none = () => ({ ok: 0, failed: 0, unknown: 0 })
const forEach = <T>(make: () => T) =>
  Object.fromEntries(faults.map(fault => [fault, make()])) as Record<Fault, T>

/** Adds a round's to what there is. */
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
 * The seconds until everything that was under way goes on: until each turn that ran has its next event in the log,
 * since a worker was killed, or since Postgres, the wire or a stopped worker was back. Of a web server: until it answers
 * again, since it was killed. Nothing for what ends with its cause, when
 * nothing was under way, when it waits for a lost job, or when another process was down at the time.
 */
function goesOn(fault: Faulted, lines: readonly Line[], state: State): number | undefined {
  if (isInTheShadow(fault, lines)) return undefined
  const seconds = secondsAfter(fault, lines, state)
  return seconds === undefined || hasCompany(fault, lines, seconds) ? undefined : seconds
}

function secondsAfter(fault: Faulted, lines: readonly Line[], state: State): number | undefined {
  switch (fault.fault) {
    case 'kill-web': {
      const answers = lines.flatMap(line =>
        line.kind === 'operation' && line.web === fault.target && line.ended > fault.began ? [line.ended] : []
      )
      return answers.length === 0 ? undefined : (Math.min(...answers) - fault.began) / 1000
    }
    case 'kill-worker':
    case 'stop-worker':
    case 'lose-jobs':
      return untilAllGoOn(fault.began, state)
    case 'kill-postgres':
    case 'stop-postgres':
    case 'stall':
    case 'lose-commit':
      return untilAllGoOn(fault.ended, state)
    default:
      return undefined
  }
}

/** Whether something else was down, or stood still, before everything went on: then it is not this fault's time alone. */
const hasCompany = (fault: Faulted, lines: readonly Line[], seconds: number): boolean =>
  lines.some(
    line =>
      line !== fault &&
      line.kind === 'fault' &&
      /^(kill|stop|stall)/.test(line.fault) &&
      line.began < fault.ended + seconds * 1000 &&
      line.ended > fault.began
  )

/** What a lost job was to ring for is found by the next minute's sweep; until then that is what everything waits for. */
const isInTheShadow = ({ began }: Faulted, lines: readonly Line[]): boolean =>
  lines.some(
    line =>
      line.kind === 'fault' && line.fault === 'lose-jobs' && line.began < began && began < line.ended + 65_000
  )

function untilAllGoOn(since: number, { sessions }: State): number | undefined {
  const waits = sessions.flatMap(({ log }) => {
    // What people send meanwhile is in the log too, whoever is dead.
    const next = log.find(
      ({ at, event }) => Date.parse(at) > since && (event.type === 'chunk' || event.type === 'status')
    )
    if (next === undefined || !ranAt(log, since)) return []
    return [(Date.parse(next.at) - since) / 1000]
  })
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** Whether a turn had begun by then, and not ended. */
function ranAt(log: State['sessions'][number]['log'], time: number): boolean {
  const last = log.findLast(({ at, event }) => Date.parse(at) <= time && event.type === 'status')?.event
  return last?.type === 'status' && last.status === 'running' && last.outcome === undefined
}

/** Servers that were killed, by the nemesis or at a failpoint. */
export const serversKilled = ({ faults, points }: Figures): number =>
  faults['kill-worker'] +
  faults['kill-web'] +
  Object.values(points ?? {}).reduce((sum, { crash }) => sum + crash, 0)

/** As lines for a person. */
export function written(figures: Figures, { path }: Pick<History, 'path'>): string[] {
  const { operations, messages, read, effects, outOfBand, goOn } = figures
  const came = faults.filter(fault => figures.faults[fault] > 0)
  return [
    ...Object.entries(operations).map(
      ([verb, { ok, failed, unknown }]) => `${verb}: ${ok} ok, ${failed} failed, ${unknown} unknown`
    ),
    `faults: ${came.map(fault => `${fault} ${figures.faults[fault]}`).join(', ')}`,
    `messages: ${messages.acknowledged} acknowledged, ${messages.lost} lost, ${messages.doubled} doubled, ${messages.reordered} reordered`,
    `readers: ${read.events} events on ${read.connections} connections; effects of tools: ${effects}`,
    `out of band: ${outOfBand.injected + outOfBand.acknowledged} told, ${outOfBand.acknowledged} of them acknowledged, ${outOfBand.cancelled} taken back, ${outOfBand.superseded} calls superseded`,
    ...Object.entries(figures.points ?? {}).map(
      ([point, { passed, crash, wait, fail }]) =>
        `${point}: passed ${passed} times, ${crash} crashes, ${wait} waits, ${fail} failures`
    ),
    // A crash at a failpoint is in nobody's plan, so what came alone is not known to have been.
    ...(figures.points === undefined ? came : []).flatMap(fault => {
      const seconds = goOn[fault].toSorted((a, b) => a - b)
      if (seconds.length === 0) return []
      const p50 = seconds[Math.floor(seconds.length / 2)]?.toFixed(2)
      return [
        `goes on after ${fault}: p50 ${p50} s, max ${seconds.at(-1)?.toFixed(2)} s (n ${seconds.length})`
      ]
    }),
    `history: ${path}`
  ]
}
