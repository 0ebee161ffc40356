import { type Bar, lanes } from './timeline-bars.ts'

/**
 * Longer pauses are drawn as a break of a fixed width, because a linear axis is useless with waits of two
 * days.
 */
const breakAfterMs = 5000
/** The width of a break, in px. */
export const breakWidth = 48
const narrowestBurst = 24
const narrowestBar = 6
/** Minimum and maximum width of a second of activity, in px. */
const scale = { least: 6, most: 60 }

/** A bar with its position and width in px, and its level in the lane. */
export type PlacedBar = Bar & { x: number; width: number; level: number }
/** A pause of `ms`. `waited` is true if a call was pending in it. */
export type Break = { x: number; ms: number; waited: boolean }
/** The start of a burst. `now` marks the current end of a running bar. */
type Tick = { x: number; at: number; now: boolean }
type Layout = {
  width: number
  lanes: { lane: Bar['lane']; levels: number; bars: PlacedBar[] }[]
  breaks: Break[]
  ticks: Tick[]
}

/** Nothing runs while a call or a message waits, so only the ends of its bar are activity. */
const isWait = ({ lane }: Bar): boolean => lane === 'waits' || lane === 'out-of-band'

type Span = { from: number; to: number }
type Placed = { x: number; width: number }
type Burst = Span & Placed

const endOf = ({ x, width }: Placed) => x + width

/**
 * Computes the position of each bar, in px.
 *
 * - Time is linear during activity. A pause of more than 5 s is a break of 48 px.
 * - The bursts of activity share `room` (px). A second takes from 6 to 60 px, so a long session is wider than
 *   `room`.
 * - A running bar ends at `now`.
 * - Overlapping bars of a lane are on different levels.
 */
export function layOut(bars: readonly Bar[], { now, room }: { now: number; room: number }): Layout {
  const newest = Math.max(now, ...bars.map(bar => bar.end ?? bar.start))
  const ended = bars.map(bar => ({ ...bar, end: Math.max(bar.start, bar.end ?? newest) }))
  const spans = ended.flatMap(bar =>
    isWait(bar) ? [pointAt(bar.start), pointAt(bar.end)] : [{ from: bar.start, to: bar.end }]
  )
  const bursts = placed(burstsOf(spans), room)
  const wide = ended.map(bar => {
    const x = xIn(bursts, bar.start)
    return { ...bar, x, width: Math.max(narrowestBar, xIn(bursts, bar.end) - x) }
  })
  return {
    width: Math.max(0, ...[...bursts, ...wide].map(endOf)),
    lanes: lanes.flatMap(lane => {
      const own = onLevels(wide.filter(bar => bar.lane === lane))
      return own.length === 0 ? [] : [{ lane, levels: 1 + Math.max(...own.map(bar => bar.level)), bars: own }]
    }),
    breaks: bursts.slice(1).flatMap((burst, index) => {
      const before = bursts[index]
      if (before === undefined) return []
      const waited = ended.some(bar => isWait(bar) && bar.start <= before.to && bar.end >= burst.from)
      return [{ x: endOf(before), ms: burst.from - before.to, waited }]
    }),
    ticks: bursts.map(({ x, from, to }) => ({
      x,
      at: from,
      now: from === to && from === newest && bars.some(bar => bar.end === undefined)
    }))
  }
}

const pointAt = (at: number): Span => ({ from: at, to: at })

/** Merges spans that are at most 5 s apart into one burst of activity. */
function burstsOf(spans: readonly Span[]): Span[] {
  const bursts: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = bursts.at(-1)
    if (last !== undefined && span.from - last.to <= breakAfterMs) last.to = Math.max(last.to, span.to)
    else bursts.push({ ...span })
  }
  return bursts
}

function placed(bursts: readonly Span[], room: number): Burst[] {
  const free = room - (bursts.length - 1) * breakWidth
  const shared = perSecond(bursts, free)
  const narrow = bursts.filter(burst => secondsOf(burst) * shared < narrowestBurst)
  const each = perSecond(
    bursts.filter(burst => !narrow.includes(burst)),
    free - narrow.length * narrowestBurst
  )
  let x = 0
  return bursts.map(({ from, to }) => {
    const width = Math.max(narrowestBurst, secondsOf({ from, to }) * each)
    const burst = { from, to, x, width }
    x += width + breakWidth
    return burst
  })
}

const secondsOf = ({ from, to }: Span) => (to - from) / 1000

/** Returns the width of a second, in px, if these bursts share `free` px. */
function perSecond(bursts: readonly Span[], free: number): number {
  const seconds = bursts.reduce((sum, burst) => sum + secondsOf(burst), 0)
  return Math.min(scale.most, Math.max(scale.least, seconds === 0 ? 0 : free / seconds))
}

/**
 * Returns the position of a time. It is linear inside a burst, and inside a break for waits that end there.
 */
function xIn(bursts: readonly Burst[], at: number): number {
  const index = bursts.findLastIndex(burst => burst.from <= at)
  const burst = bursts[index]
  if (burst === undefined) return 0
  const { from, to, x, width } = burst
  if (at <= to) return to === from ? x : x + ((at - from) / (to - from)) * width
  const next = bursts[index + 1]
  const end = endOf(burst)
  return next === undefined ? end : end + ((at - to) / (next.from - to)) * breakWidth
}

function onLevels<T extends Placed>(bars: readonly T[]): (T & { level: number })[] {
  const ends: number[] = []
  return bars
    .toSorted((a, b) => a.x - b.x)
    .map(bar => {
      const free = ends.findIndex(end => end + 1 <= bar.x)
      const level = free < 0 ? ends.length : free
      ends[level] = endOf(bar)
      return { ...bar, level }
    })
}
