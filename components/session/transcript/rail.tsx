import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { RailLine } from '#components/session/content/rail-line.tsx'

const line = (d: string, width: number) => (
  <path d={d} fill="none" stroke="currentColor" strokeWidth={width} />
)
/** The class `open` fills a shape with the color of the page. */
const ring = <circle cx="8" cy="8" r="5" strokeWidth="2" className="open" />
const dot = (radius: number) => <circle cx="8" cy="8" r={radius} fill="currentColor" />

type Shape = { color: string; shape: ReactNode; over?: ReactNode; pulse?: true }

/** The nodes that the rail can show at a row. Each has its own shape. `over` is drawn over `shape`. */
const nodes = {
  person: { color: 'text-ink', shape: line('M8 8h8', 2) },
  done: { color: 'text-rail', shape: <path d="M5 5h6v6H5z" fill="currentColor" /> },
  /** Done, but with an error in the result. */
  warned: {
    color: 'text-fail',
    shape: <path d="M4 4h8v8H4z" strokeWidth="1.5" className="open" />,
    over: line('M8 5.75v2.75M8 9.5v1', 1.5)
  },
  running: { color: 'text-ink', shape: dot(4), pulse: true },
  'wait-you': { color: 'text-you', shape: ring },
  'wait-other': { color: 'text-other', shape: ring, over: line('M8 8h8.5M13.5 5l3 3-3 3', 1.75) },
  'wait-approver': {
    color: 'text-you',
    shape: <circle cx="8" cy="8" r="6" strokeWidth="1.75" className="open" />,
    over: line('M5.75 7.75h4.5v3h-4.5zM6.6 7.6V6.4a1.4 1.4 0 0 1 2.8 0v1.2', 1.2)
  },
  settled: { color: 'text-rail', shape: ring, over: dot(2) },
  refused: { color: 'text-rail', shape: ring, over: line('m4.8 11.2 6.4-6.4', 1.75) },
  failed: {
    color: 'text-fail',
    shape: <path d="M3.5 3.5h9v9h-9zM5.5 5.5l5 5m0-5-5 5" strokeWidth="1.5" className="open" />
  },
  bell: {
    color: 'text-other',
    shape: (
      <path
        d="M8 2.25a3.75 3.75 0 0 0-3.75 3.75c0 3-1.5 3.75-1.5 5.25h10.5c0-1.5-1.5-2.25-1.5-5.25A3.75 3.75 0 0 0 8 2.25ZM6.75 12.5a1.3 1.3 0 0 0 2.5 0"
        strokeWidth="1.5"
        className="open"
      />
    )
  },
  break: { color: 'text-rail', shape: line('m3.5 12 9-5m-9 2 9-5', 1.5) }
} satisfies Record<string, Shape>

export type Node = keyof typeof nodes | 'none'

type RailProps = {
  node: Node
  /** The distance from the top of the row to the middle of the node, as a CSS length. */
  at: string
  first: boolean
  last: boolean
  /** Interrupts the line, because the row shows the length of a finished wait. */
  cut?: boolean
}

/** A row's part of the rail: its node, and the line above and below the node. */
export function Rail({ node, at, first, last, cut = false }: RailProps) {
  const drawn: Shape | undefined = node === 'none' ? undefined : nodes[node]
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-(--rail-x)">
      {cut ? null : (
        <span
          className="absolute -left-px w-0.5 bg-rail"
          style={{ top: first ? at : 0, ...(last ? { height: first ? 0 : at } : { bottom: 0 }) }}
        />
      )}
      {drawn === undefined ? null : (
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          overflow="visible"
          aria-hidden="true"
          className={clsx('rail-node absolute -left-2', drawn.color, drawn.pulse && 'animate-pulse')}
          style={{ top: `calc(${at} - 8px)` }}
        >
          {drawn.shape}
          {drawn.over}
        </svg>
      )}
    </span>
  )
}

/** The end of the rail while the agent works. It pulses, unless a row above it already does (`quiet`). */
export function RailEnd({ quiet }: { quiet: boolean }) {
  return (
    <div aria-hidden="true" className="relative h-8">
      <RailLine className="top-0 left-(--rail-x) h-4" />
      {quiet ? null : (
        <span className="absolute top-3 left-(--rail-x) -ml-1 size-2 animate-pulse rounded-full bg-ink" />
      )}
    </div>
  )
}
