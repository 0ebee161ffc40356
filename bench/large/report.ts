import { spreadOf } from '#bench/percentiles.ts'
import type { Row } from '#bench/report.ts'
import type { Step } from '#bench/steps.ts'
import type { Large } from './measure-large.ts'
import type { DeliveryCounts } from './out-of-band-delivery.ts'

/** Returns the rows of the table for `--large`. */
export function largeRows({ outOfBand, atTheEnd, races, parked, long, processes }: Large): Row[] {
  const { none, many } = { none: spreadOf(parked.resumed.none), many: spreadOf(parked.resumed.many) }
  const ratio = many.p99 / none.p99
  const sessions = `${thousands(parked.count)} parked sessions`
  return [
    deliveryRow(
      `${thousands(outOfBand.accepted)} out-of-band messages: the model received each one once`,
      outOfBand
    ),
    deliveryRow(`${thousands(atTheEnd.accepted)} at the moment when a turn ends: the same`, atTheEnd),
    {
      what: 'Critical messages among them that waited for the next user message',
      unit: '',
      ours: atTheEnd.stranded,
      floor: { text: '0', met: atTheEnd.stranded === 0 }
    },
    {
      what: `${thousands(races.races)} races of 2 to 8 to settle a call: winners`,
      unit: '',
      ours: races.winners,
      bare: races.races,
      floor: {
        text: ['one each', ...races.wrong].join('; '),
        met: races.wrong.length === 0 && races.winners === races.races
      }
    },
    {
      what: `Losers whose error named the winner (of ${thousands(races.contenders)} contenders)`,
      unit: '',
      ours: races.informed,
      bare: races.lost,
      floor: { text: 'every one', met: races.informed === races.lost }
    },
    {
      what: `${sessions}: answer accepted → model called again (baseline: none)`,
      unit: 'ms',
      ours: many,
      bare: none,
      ratio,
      of: 'p99',
      floor: { text: 'p99 ≤ 1.2 ×', met: ratio <= 1.2 }
    },
    ...restRows(sessions, parked.rest),
    ...longRows(long),
    ...processRows(processes)
  ]
}

const deliveryRow = (what: string, { accepted, once, doubled, lost }: DeliveryCounts): Row => ({
  what,
  unit: '',
  ours: once,
  bare: accepted,
  floor: { text: `0 lost, 0 twice (${lost}, ${doubled})`, met: once === accepted }
})

function restRows(sessions: string, { none, many }: Large['parked']['rest']): Row[] {
  const listed = { none: spreadOf(none.listed), many: spreadOf(many.listed) }
  const listRow: Row = {
    what: `${sessions}: a page of the list of sessions over HTTP (baseline: none)`,
    unit: 'ms',
    ours: listed.many,
    bare: listed.none,
    ratio: listed.many.p50 / listed.none.p50,
    floor: { text: 'p50 ≤ 10 ms', met: listed.many.p50 <= 10 }
  }
  if (none.megabytes === undefined || many.megabytes === undefined) return [listRow]
  const ratio = many.megabytes / none.megabytes
  return [
    {
      what: `${sessions}: memory of the server at rest`,
      unit: 'MB',
      ours: many.megabytes,
      bare: none.megabytes,
      ratio,
      floor: { text: '≤ 1.05 ×', met: ratio <= 1.05 }
    },
    listRow
  ]
}

function longRows({ opened, steps, size }: Large['long']): Row[] {
  const lengths = `session of ${thousands(size.long)} messages (baseline: ${size.short})`
  const warm = (side: Step[]) => side.filter(({ cold }) => !cold)
  const row = (what: string, long: number[], short: number[]): Row => {
    const [ours, bare] = [spreadOf(long), spreadOf(short)]
    const ratio = ours.p50 / bare.p50
    return { what, unit: 'ms', ours, bare, ratio, floor: { text: 'p50 ≤ 1.2 ×', met: ratio <= 1.2 } }
  }
  const stepRow = (what: string, figure: (step: Step) => number) =>
    row(what, warm(steps.long).map(figure), warm(steps.short).map(figure))
  return [
    row(`Opening a ${lengths} over HTTP`, opened.long, opened.short),
    stepRow(`Step in a ${lengths}: accepted → model called`, step => step.modelCalled),
    stepRow('The same turn, total', step => step.total)
  ]
}

function processRows(figures: Large['processes']): Row[] {
  const one = figures.find(({ processes }) => processes === 1)?.perSecond ?? 0
  const targets: Record<number, number> = { 2: 1.7, 4: 2.5 }
  return figures.map(({ processes, perSecond, busy }) => {
    const ratio = perSecond / one
    const target = targets[processes]
    const used = busy === undefined ? '' : `; the machine was ${Math.round(busy * 100)} % busy`
    return {
      what: `${processes === 1 ? 'One server process' : `${processes} server processes`} on one Postgres, 200 sessions, five messages each in turn: turns a second${used}`,
      unit: '',
      ours: Math.round(perSecond),
      bare: Math.round(one),
      ratio,
      ...(target === undefined ? {} : { floor: { text: `≥ ${target} ×`, met: ratio >= target } })
    }
  })
}

const thousands = (count: number) => count.toLocaleString('en')
