import { openStage } from '#bench/stage.ts'
import { type DeliveryCounts, measureDelivery, measureDeliveryAtEnd } from './out-of-band-delivery.ts'
import { fillWithParked, measureResumes, memoryAtRest } from './parked.ts'
import { type Races, raceToSettle } from './races.ts'

/** Results with large numbers: counts that must be exact, and the cost of 100,000 parked sessions. */
export type Large = {
  outOfBand: DeliveryCounts
  atTheEnd: DeliveryCounts & { stranded: number }
  races: Races
  parked: {
    count: number
    resumed: { none: number[]; many: number[] }
    memory: { none: number | undefined; many: number | undefined }
  }
}

/** The sizes that the targets name. */
export const fullSize = {
  outOfBand: 10_000,
  atTheEnd: 2_000,
  races: 10_000,
  parked: 100_000,
  resumes: 400,
  seconds: 75
}

/**
 * Runs the measurements of `npm run bench -- --large`, about eighteen minutes. Uses three databases of one Postgres: one
 * for the counts, one that stays small, and one that is filled.
 */
export async function measureLarge(
  [counts, none, many]: [string, string, string],
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
  const memory = {
    none: await memoryAtRest(none, size.seconds),
    many: await memoryAtRest(many, size.seconds)
  }
  return { ...countsResult, parked: { ...parked, memory } }
}
