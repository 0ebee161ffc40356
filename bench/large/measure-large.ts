import { openStage } from '#bench/stage.ts'
import { type Long, type LongSize, measureLong } from './long.ts'
import { type DeliveryCounts, measureDelivery, measureDeliveryAtEnd } from './out-of-band-delivery.ts'
import { type AtRest, fillWithParked, measureAtRest, measureResumes } from './parked.ts'
import { measureProcesses, type ProcessFigures } from './processes.ts'
import { type Races, raceToSettle } from './races.ts'

/**
 * Results with large numbers: counts that must be exact, and the cost of parked sessions, of a long session and of more
 * processes.
 */
export type Large = {
  outOfBand: DeliveryCounts
  atTheEnd: DeliveryCounts & { stranded: number }
  races: Races
  parked: {
    count: number
    resumed: { none: number[]; many: number[] }
    rest: { none: AtRest; many: AtRest }
  }
  long: Long & { size: LongSize }
  processes: ProcessFigures[]
}

/** The sizes that the targets name. */
export const fullSize = {
  long: { short: 100, long: 100_000, openings: 200, seconds: 20 } satisfies LongSize,
  outOfBand: 10_000,
  atTheEnd: 2_000,
  races: 10_000,
  parked: 1_000_000,
  resumes: 400,
  seconds: 75
}

/**
 * Runs the measurements of `npm run bench -- --large`. Uses databases of one Postgres: for the counts, one that stays
 * small, one that is filled with parked sessions, one for long sessions, and one for several processes.
 */
export async function measureLarge(
  [counts, none, many, long, several]: [string, string, string, string, string],
  postmaster: number,
  printProgress: (what: string) => void,
  size: typeof fullSize = fullSize
): Promise<Large> {
  const measureCounts = async () => {
    await using stage = await openStage(counts)
    printProgress(`${size.outOfBand} out-of-band messages`)
    const delivered = await measureDelivery(stage, size.outOfBand)
    printProgress(`${size.atTheEnd} at the end of a turn`)
    const atTheEnd = await measureDeliveryAtEnd(stage, size.atTheEnd)
    printProgress(`${size.races} races`)
    const races = await raceToSettle(stage, size.races)
    return { outOfBand: delivered, atTheEnd, races }
  }
  const measureParked = async () => {
    await using small = await openStage(none)
    await using large = await openStage(many)
    printProgress(`${size.parked} parked sessions`)
    await fillWithParked(large, size.parked)
    return await measureResumes(small, large, size.resumes)
  }
  const countsResult = await measureCounts()
  const parked = { count: size.parked, resumed: await measureParked() }
  printProgress('Memory at rest')
  const rest = {
    none: await measureAtRest(none, size.seconds),
    many: await measureAtRest(many, size.seconds)
  }
  printProgress(`A session of ${size.long.long} messages`)
  const longFigures = await measureLong(() => openStage(long), long, size.long)
  printProgress('Several processes')
  return {
    ...countsResult,
    parked: { ...parked, rest },
    long: { ...longFigures, size: size.long },
    processes: await measureProcesses(several, postmaster)
  }
}
