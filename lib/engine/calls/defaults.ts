import type { CallKind, OnDeadline } from '@waystation/protocol/call/call.ts'

const minute = 60
const day = 86_400

/**
 * Default wait of each kind of call, in seconds, and its outcome at the deadline
 * (docs/concepts/engine.md#deadlines). Every call has a deadline.
 */
export const defaults: Record<CallKind, { seconds: number; onDeadline: OnDeadline }> = {
  approval: { seconds: 7 * day, onDeadline: 'declined' },
  question: { seconds: 7 * day, onDeadline: 'declined' },
  limit: { seconds: 7 * day, onDeadline: 'declined' },
  connection: { seconds: 15 * minute, onDeadline: 'not-connected' },
  client: { seconds: day, onDeadline: 'error' },
  external: { seconds: day, onDeadline: 'error' },
  agent: { seconds: 7 * day, onDeadline: 'error' },
  server: { seconds: day, onDeadline: 'error' }
}

/** Maximum time that a call can stay open, including extensions, in seconds since it was opened. */
export const maxOpenSeconds = 30 * day

/** Fraction of the wait after which a warning is sent, that is, with 20 % left. */
export const warnFraction = 0.8
