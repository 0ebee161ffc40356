import type { CallKind, OnDeadline } from '#lib/protocol/call/call.ts'

const minute = 60
const day = 86_400

/** How long a call of each kind waits, in seconds, and what it comes to then (docs/concepts/engine.md#deadlines). Never for ever. */
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

/** The longest a call may stay open, from its opening, whatever it is extended to. */
export const capSeconds = 30 * day

/** The share of the time after which a warning goes out: at 20 % left. */
export const warnAt = 0.8
