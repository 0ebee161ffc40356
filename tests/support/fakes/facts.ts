import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import type { Facts } from '#lib/engine/inbox/next-action.ts'

/** Returns the facts of an idle session without pending work, changed by `some`. */
export const factsWith = (some: Partial<Facts> = {}): Facts => ({
  turn: null,
  hasFailed: false,
  isForwarded: false,
  callsToRun: false,
  messages: { steering: false, interrupting: false, queued: false },
  retry: false,
  extraStep: false,
  lateAnswer: false,
  continueApproved: false,
  hasOpenCall: false,
  results: false,
  atLimit: false,
  outOfBand: { critical: false, high: false, normal: false, low: false },
  ...some
})

/**
 * Returns which priorities the pending out-of-band messages in an inbox have. Skips messages that start nothing.
 */
export function pendingOutOfBand(inbox: readonly WaitingItem[]): Facts['outOfBand'] {
  const has = (priority: string) =>
    inbox.some(({ kind, payload }) => kind === 'oob' && !payload.resting && payload.priority === priority)
  return { critical: has('critical'), high: has('high'), normal: has('normal'), low: has('low') }
}
