import { extentOf, isWait, type TraceNode, withDescendants } from './trace-node.ts'

/** Longer pauses are drawn as breaks, because a linear axis is useless with waits of two days. */
const breakAfterMs = 5000
/** The width of a break, in px. Many breaks are narrower, so that they leave room for the activity. */
export const breakWidth = 44
const breaksShare = 0.6
const narrowestBurst = 12

/** A pause of `ms`, drawn from `x` on. */
type Break = { x: number; width: number; ms: number }
/** The time axis of a turn, from its start. `xOf` returns the position of a time in px. */
export type Axis = { xOf: (at: number) => number; breaks: readonly Break[] }

type Interval = { from: number; to: number }
type Burst = Interval & { x: number; width: number }

/**
 * Returns the axis of each turn, `room` px wide. Its rows share it. Time is linear in each burst of activity, with one
 * scale for all turns, so that their bars compare. A pause of more than 5 s between two bursts is a break. An activity
 * that has not ended ends at `now`.
 */
export function axesOf(
  turns: readonly TraceNode[],
  { now, room }: { now: number; room: number }
): ReadonlyMap<string, Axis> {
  const all = turns.map(turn => ({ id: turn.id, bursts: burstsIn(turn, now) }))
  const perMs = Math.min(...all.map(({ bursts }) => layoutOf(bursts, room).perMs))
  return new Map(all.map(({ id, bursts }) => [id, axisOf(placed(bursts, room, perMs))]))
}

const axisOf = (bursts: readonly Burst[]): Axis => ({
  xOf: at => xIn(bursts, at),
  breaks: bursts.slice(1).flatMap((burst, index) => {
    const before = bursts[index]
    if (before === undefined) return []
    const x = before.x + before.width
    return [{ x, width: burst.x - x, ms: burst.from - before.to }]
  })
})

function burstsIn(turn: TraceNode, now: number): Interval[] {
  const intervals = withDescendants(turn).flatMap((node): Interval[] => {
    if (node.span === undefined) return [{ from: node.at, to: node.at }]
    const { start, end = Math.max(now, start) } = node.span
    // Nothing runs during a wait, so only its ends are activity.
    if (isWait(node))
      return [
        { from: start, to: start },
        { from: end, to: end }
      ]
    return [{ from: start, to: end }]
  })
  return burstsOf(intervals)
}

/** Merges intervals that are at most 5 s apart into one burst. */
function burstsOf(intervals: readonly Interval[]): Interval[] {
  const bursts: Interval[] = []
  for (const interval of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = bursts.at(-1)
    if (last !== undefined && interval.from - last.to <= breakAfterMs)
      last.to = Math.max(last.to, interval.to)
    else bursts.push({ ...interval })
  }
  return bursts
}

/** Returns the width of a gap, the least width of a burst, and the scale with which the bursts fill the room. */
function layoutOf(bursts: readonly Interval[], room: number) {
  const gaps = bursts.length - 1
  const gap = gaps === 0 ? 0 : Math.min(breakWidth, (room * breaksShare) / gaps)
  const free = room - gaps * gap
  const least = Math.min(narrowestBurst, free / 2 / bursts.length)
  const total = bursts.reduce((sum, { from, to }) => sum + to - from, 0)
  return {
    gap,
    least,
    perMs: total === 0 ? Number.POSITIVE_INFINITY : (free - least * bursts.length) / total
  }
}

/** Places the bursts from left to right. Each has the least width, and more for its duration. */
function placed(bursts: readonly Interval[], room: number, perMs: number): Burst[] {
  const { gap, least } = layoutOf(bursts, room)
  let x = 0
  return bursts.map(burst => {
    const ms = burst.to - burst.from
    const width = ms === 0 ? least : least + ms * perMs
    const at = { ...burst, x, width }
    x += width + gap
    return at
  })
}

/** Returns the position of a time. Inside a break, it is the break's start. */
function xIn(bursts: readonly Burst[], at: number): number {
  const burst = bursts.findLast(({ from }) => from <= at) ?? bursts[0]
  if (burst === undefined) return 0
  const share = burst.to === burst.from ? 0 : (at - burst.from) / (burst.to - burst.from)
  return burst.x + Math.min(1, Math.max(0, share)) * burst.width
}

/** Returns the position and width of a bar on the axis, in px. */
export function barOn({ xOf }: Axis, { start, end }: { start: number; end: number }) {
  const x = xOf(start)
  return { x, width: Math.max(3, xOf(end) - x) }
}

/** Returns the position and width of everything in a node. */
export const extentOn = (axis: Axis, node: TraceNode, now: number) => barOn(axis, extentOf(node, now))
