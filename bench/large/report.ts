import { spreadOf } from '#bench/percentiles.ts'
import type { Row } from '#bench/report.ts'
import type { Large } from './measure-large.ts'
import type { DeliveryCounts } from './out-of-band-delivery.ts'

/** Returns the rows of the table for `--large`. */
export function largeRows({ outOfBand, atTheEnd, races, parked }: Large): Row[] {
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
    ...memoryRows(sessions, parked.memory)
  ]
}

const deliveryRow = (what: string, { accepted, once, doubled, lost }: DeliveryCounts): Row => ({
  what,
  unit: '',
  ours: once,
  bare: accepted,
  floor: { text: `0 lost, 0 twice (${lost}, ${doubled})`, met: once === accepted }
})

function memoryRows(sessions: string, { none, many }: Large['parked']['memory']): Row[] {
  if (none === undefined || many === undefined) return []
  const ratio = many / none
  const floor = { text: '≤ 1.05 ×', met: ratio <= 1.05 }
  return [
    { what: `${sessions}: memory of the server at rest`, unit: 'MB', ours: many, bare: none, ratio, floor }
  ]
}

const thousands = (count: number) => count.toLocaleString('en')
