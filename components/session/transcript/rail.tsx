import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** The nodes that the rail can show at a row. Each has its own shape. */
export type Node =
  | 'none'
  | 'person'
  | 'done'
  | 'running'
  | 'wait-you'
  | 'wait-other'
  | 'wait-approver'
  | 'settled'
  | 'refused'
  | 'failed'
  | 'break'
  | 'bell'

const nodes: Record<Exclude<Node, 'none'>, { color: string; shape: ReactNode; pulse?: true }> = {
  person: { color: 'text-ink', shape: <path d="M8 8h8" stroke="currentColor" strokeWidth="2" /> },
  done: { color: 'text-rail', shape: <path d="M5 5h6v6H5z" fill="currentColor" /> },
  running: { color: 'text-ink', shape: <circle cx="8" cy="8" r="4" fill="currentColor" />, pulse: true },
  'wait-you': { color: 'text-you', shape: <circle cx="8" cy="8" r="5" strokeWidth="2" className="open" /> },
  'wait-other': {
    color: 'text-other',
    shape: (
      <>
        <circle cx="8" cy="8" r="5" strokeWidth="2" className="open" />
        <path d="M8 8h8.5M13.5 5l3 3-3 3" fill="none" stroke="currentColor" strokeWidth="1.75" />
      </>
    )
  },
  'wait-approver': {
    color: 'text-you',
    shape: (
      <>
        <circle cx="8" cy="8" r="6" strokeWidth="1.75" className="open" />
        <path
          d="M5.75 7.75h4.5v3h-4.5zM6.6 7.6V6.4a1.4 1.4 0 0 1 2.8 0v1.2"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.2"
        />
      </>
    )
  },
  settled: {
    color: 'text-rail',
    shape: (
      <>
        <circle cx="8" cy="8" r="5" strokeWidth="2" className="open" />
        <circle cx="8" cy="8" r="2" fill="currentColor" />
      </>
    )
  },
  refused: {
    color: 'text-rail',
    shape: (
      <>
        <circle cx="8" cy="8" r="5" strokeWidth="2" className="open" />
        <path d="m4.8 11.2 6.4-6.4" stroke="currentColor" strokeWidth="1.75" />
      </>
    )
  },
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
  break: {
    color: 'text-rail',
    shape: <path d="m3.5 12 9-5m-9 2 9-5" stroke="currentColor" strokeWidth="1.5" />
  }
}

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
  const drawn = node === 'none' ? undefined : nodes[node]
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
        </svg>
      )}
    </span>
  )
}
