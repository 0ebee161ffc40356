import type { ReactNode } from 'react'
import type { FaceKind } from '#components/session/wording/session-status.ts'

const ring = <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="2" />

const shapes: Record<FaceKind, { color: string; shape: ReactNode; pulse?: true }> = {
  empty: { color: 'text-muted', shape: null },
  idle: { color: 'text-muted', shape: <path d="M2 6h8" stroke="currentColor" strokeWidth="2" /> },
  running: { color: 'text-ink', shape: <circle cx="6" cy="6" r="4" fill="currentColor" />, pulse: true },
  parked: { color: 'text-you', shape: ring },
  'parked-other': {
    color: 'text-other',
    shape: (
      <g fill="none" stroke="currentColor" strokeWidth="1.75">
        <path d="M8.2 3.1A3.9 3.9 0 1 0 9.4 7.4" />
        <path d="M5.5 6h6M9.3 3.6 11.6 6 9.3 8.4" />
      </g>
    )
  },
  both: {
    color: 'text-you',
    shape: (
      <g fill="none" stroke="currentColor">
        <circle cx="6" cy="6" r="5.25" strokeWidth="1.5" />
        <path d="M6 3.25v5.5M3.25 6h5.5" strokeWidth="1.5" />
      </g>
    )
  },
  failed: {
    color: 'text-fail',
    shape: (
      <path d="M1.5 1.5h9v9h-9zM3.5 3.5l5 5m0-5-5 5" fill="none" stroke="currentColor" strokeWidth="1.5" />
    )
  },
  reconnecting: {
    color: 'text-muted',
    shape: (
      <circle
        cx="6"
        cy="6"
        r="4.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="2.4 2.3"
      />
    )
  },
  'not-mine': {
    color: 'text-you',
    shape: (
      <g stroke="currentColor">
        <circle cx="6" cy="6" r="5" fill="none" strokeWidth="1.5" />
        <path d="M4 6h4v2.6H4z" fill="currentColor" stroke="none" />
        <path d="M4.8 6V4.8a1.2 1.2 0 0 1 2.4 0V6" fill="none" strokeWidth="1" />
      </g>
    )
  }
}

/**
 * Shows a session's state by its form and, in addition, its color. Hidden from screen readers, because text
 * next to it describes the state.
 */
export function StateGlyph({ kind, size = 12 }: { kind: FaceKind; size?: number }) {
  const { color, shape, pulse } = shapes[kind]
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 12 12"
      overflow="visible"
      aria-hidden="true"
      className={`shrink-0 ${color} ${pulse ? 'animate-pulse' : ''}`}
    >
      {shape}
    </svg>
  )
}
