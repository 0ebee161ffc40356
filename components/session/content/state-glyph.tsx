import type { ReactNode } from 'react'
import type { FaceKind } from '#components/session/wording/session-status.ts'

const line = (d: string, width: number) => (
  <path d={d} fill="none" stroke="currentColor" strokeWidth={width} />
)
const ring = (radius: number, width: number, dashes?: string) => (
  <circle
    cx="6"
    cy="6"
    r={radius}
    fill="none"
    stroke="currentColor"
    strokeWidth={width}
    strokeDasharray={dashes}
  />
)

/** `over` is drawn over `shape`. */
const glyphs: Record<FaceKind, { color: string; shape: ReactNode; over?: ReactNode; pulse?: true }> = {
  empty: { color: 'text-muted', shape: null },
  idle: { color: 'text-muted', shape: line('M2 6h8', 2) },
  running: { color: 'text-ink', shape: <circle cx="6" cy="6" r="4" fill="currentColor" />, pulse: true },
  parked: { color: 'text-you', shape: ring(4.5, 2) },
  'parked-other': {
    color: 'text-other',
    shape: line('M8.2 3.1A3.9 3.9 0 1 0 9.4 7.4', 1.75),
    over: line('M5.5 6h6M9.3 3.6 11.6 6 9.3 8.4', 1.75)
  },
  both: { color: 'text-you', shape: ring(5.25, 1.5), over: line('M6 3.25v5.5M3.25 6h5.5', 1.5) },
  failed: { color: 'text-fail', shape: line('M1.5 1.5h9v9h-9zM3.5 3.5l5 5m0-5-5 5', 1.5) },
  reconnecting: { color: 'text-muted', shape: ring(4.5, 1.5, '2.4 2.3') },
  'not-mine': {
    color: 'text-you',
    shape: ring(5, 1.5),
    over: (
      <>
        <path d="M4 6h4v2.6H4z" fill="currentColor" />
        {line('M4.8 6V4.8a1.2 1.2 0 0 1 2.4 0V6', 1)}
      </>
    )
  }
}

/**
 * Shows a session's state by its form and, in addition, its color. Hidden from screen readers, because text
 * next to it describes the state.
 */
export function StateGlyph({ kind }: { kind: FaceKind }) {
  const { color, shape, over, pulse } = glyphs[kind]
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 12 12"
      overflow="visible"
      aria-hidden="true"
      className={`shrink-0 ${color} ${pulse ? 'animate-pulse' : ''}`}
    >
      {shape}
      {over}
    </svg>
  )
}
