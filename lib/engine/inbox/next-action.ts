/** The facts that decide what a session does next, read at one moment under the session's lock (`read-facts.ts`). */
export type Facts = {
  /** The live turn. `isNew`: it has no step yet. `isCutOff`: a step was started and not committed. */
  turn: { isNew: boolean; isCutOff: boolean; isRetrying: boolean } | null
  /** The last turn failed, or the live turn is waiting for its retry. */
  hasFailed: boolean
  /** The agent that speaks is external, so no step starts. Approved calls of earlier agents still run. */
  isForwarded: boolean
  /** A server call or an approved call is not running, or a dead worker had claimed it. */
  callsToRun: boolean
  /** Messages in the inbox, by their effect on a live turn. */
  messages: { steering: boolean; interrupting: boolean; queued: boolean }
  /** A retry is due, or a user selected "Retry now". */
  retry: boolean
  /** A plugin requested another step. */
  extraStep: boolean
  /** A deferred call was answered. */
  lateAnswer: boolean
  /** A "continue?" was approved, and the context contains a user message that no step has seen. */
  continueApproved: boolean
  /** The newest step has an open call. */
  hasOpenCall: boolean
  /** All calls of the newest step are settled or in the background, and none of them was the agent's final answer. */
  results: boolean
  /** A "continue?" is open, or was declined and no step has taken in the answer. */
  atLimit: boolean
  /** The priorities of waiting out-of-band messages, without messages that start no step. */
  outOfBand: { critical: boolean; high: boolean; normal: boolean; low: boolean }
}

/**
 * The next action of a session:
 *
 * - `tools`: run calls before the next model call
 * - `step`: call the model
 * - `wait`: the turn waits for its retry
 * - `park`: the turn ends with open calls
 * - `done`: the turn ends
 */
export type Action = 'tools' | 'step' | 'wait' | 'park' | 'done'

/**
 * Decides what a session does next (docs/concepts/engine.md#steps). This rule exists only here. `put` uses it
 * to decide whether a worker is needed, begin and commit use it for each step, and the owner uses it before
 * it releases the session.
 */
export function nextAction(facts: Facts): Action {
  if (facts.callsToRun) return 'tools'
  if (!facts.isForwarded && (isRequested(facts) || isStartedByOutOfBand(facts))) return 'step'
  if (facts.turn?.isRetrying) return 'wait'
  return facts.hasOpenCall ? 'park' : 'done'
}

/** Tells whether a message in this mode always needs a worker. `start` is the mode in an idle session. */
export const needsWorker = (mode: string): boolean => mode === 'interrupt' || mode === 'start'

/** Tells whether a worker has anything to do. An interrupt also needs a worker, which ends the live turn. */
export const isRunnable = (facts: Facts): boolean =>
  (!facts.isForwarded && facts.messages.interrupting) || ['tools', 'step'].includes(nextAction(facts))

/** Tells whether anything except out-of-band messages starts a step. */
export function isRequested(facts: Facts): boolean {
  const { turn, messages } = facts
  const takesMessage =
    messages.steering || ((turn === null || turn.isNew) && (messages.interrupting || messages.queued))
  if (takesMessage || facts.retry || facts.continueApproved || turn?.isCutOff) return true
  if (facts.atLimit) return false
  return facts.lateAnswer || facts.extraStep || (facts.results && !facts.hasFailed)
}

/**
 * Tells whether out-of-band messages start a step (004-8). A critical message always does. A `high` message
 * does during a turn, or while the session has open calls. Other messages do if the turn would otherwise end,
 * so that the agent does not miss them.
 */
export function isStartedByOutOfBand({ turn, hasOpenCall, atLimit, outOfBand: oobs }: Facts): boolean {
  if (atLimit) return false
  const wouldEnd = turn !== null && !hasOpenCall && !turn.isRetrying
  return (
    oobs.critical || (oobs.high && (turn !== null || hasOpenCall)) || ((oobs.normal || oobs.low) && wouldEnd)
  )
}

/** Tells whether calls that have not started are superseded by a critical out-of-band message (004-8). */
export const isSuperseded = ({ atLimit, outOfBand: oobs }: Facts): boolean => oobs.critical && !atLimit

/** Tells whether a turn must take in out-of-band messages before it ends. */
export const hasOob = ({ atLimit, isForwarded, outOfBand: oobs }: Facts): boolean =>
  !atLimit && !isForwarded && Object.values(oobs).includes(true)
