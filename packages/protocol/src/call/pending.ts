import type { Call } from './call.ts'

/** True for an open call that something outside the server must answer. Such calls make a session `parked`. */
export const isWaiting = (call: Call): boolean => call.state === 'open' && call.kind !== 'server'

/**
 * True if a user can answer the call (amber in the UI). False if an external service or a sub-agent does (blue). A call of
 * an external tool that needs approval waits for a user first.
 */
export const waitsForPerson = (call: Call): boolean =>
  isWaiting(call) && call.kind !== 'external' && call.kind !== 'agent'

/** Returns the pending calls, nearest deadline first, then oldest first. */
export const waitingFor = (calls: Iterable<Call>): Call[] =>
  [...calls]
    .filter(isWaiting)
    .sort((a, b) => a.deadline.localeCompare(b.deadline) || a.since.localeCompare(b.since))
