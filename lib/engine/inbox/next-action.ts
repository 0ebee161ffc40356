/** What decides whether a session acts, as of one moment under its head's lock (`read-facts.ts`). */
export type Facts = {
  /** The turn on the head. `isNew`: it has no step yet. `isCutOff`: a step was begun and not committed. */
  turn: { isNew: boolean; isCutOff: boolean; isRetrying: boolean } | null
  /** The last turn failed, or this one waits for its retry. */
  hasFailed: boolean
  /** A server tool or an approved call that nobody runs, or that a dead worker had claimed. */
  callsToRun: boolean
  /** Messages in the inbox, by what they do to a turn that is under way. */
  messages: { steering: boolean; interrupting: boolean; queued: boolean }
  /** "Retry now", or the retry's own time. */
  retry: boolean
  /** A plugin asked for another step. */
  extraStep: boolean
  /** A deferred call was answered. */
  lateAnswer: boolean
  /** A "continue?" was answered with yes, and a person's message waits behind it for the model. */
  goAhead: boolean
  /** The newest step waits for a call. */
  waits: boolean
  /** All calls of the newest step are settled or in the background, and none of them was the agent's final answer. */
  results: boolean
  /** A "continue?" is open, or was refused and not seen yet. */
  limitStands: boolean
  /** Out-of-band messages by priority, without those that start nothing by themselves. */
  news: { critical: boolean; high: boolean; normal: boolean; low: boolean }
}

/**
 * - `tools`: run calls before the model is asked again
 * - `step`: ask the model
 * - `wait`: the turn waits for its retry
 * - `park`: the turn ends with open calls
 * - `done`: the turn ends
 */
export type Action = 'tools' | 'step' | 'wait' | 'park' | 'done'

/**
 * Decides what a session does next (docs/concepts/engine.md#steps). This is the only text of that rule: `put` asks it whether a
 * worker is needed, a step asks it before it begins and when it is committed, and the owner asks it before it lets go.
 */
export function nextAction(facts: Facts): Action {
  if (facts.callsToRun) return 'tools'
  if (isAsked(facts) || isStartedByNews(facts)) return 'step'
  if (facts.turn?.isRetrying) return 'wait'
  return facts.waits ? 'park' : 'done'
}

/** Whether there is anything that a worker could do now. An interrupt needs one as well: it ends the turn that is under way. */
export const isRunnable = (facts: Facts): boolean =>
  facts.messages.interrupting || ['tools', 'step'].includes(nextAction(facts))

/** Whether something other than out-of-band messages starts a step. */
export function isAsked(facts: Facts): boolean {
  const { turn, messages } = facts
  const takesMessage =
    messages.steering || ((turn === null || turn.isNew) && (messages.interrupting || messages.queued))
  if (takesMessage || facts.retry || facts.goAhead || turn?.isCutOff) return true
  if (facts.limitStands) return false
  return facts.lateAnswer || facts.extraStep || (facts.results && !facts.hasFailed)
}

/**
 * Whether out-of-band messages start a step (004-8). A critical one always does. A `high` one does while a turn is under way
 * or the session waits. Others do where the turn would end: no agent ends a turn over something that it was sent meanwhile.
 */
export function isStartedByNews({ turn, waits, limitStands, news }: Facts): boolean {
  if (limitStands) return false
  const wouldEnd = turn !== null && !waits && !turn.isRetrying
  return news.critical || (news.high && (turn !== null || waits)) || ((news.normal || news.low) && wouldEnd)
}

/** Whether calls that nobody has begun are superseded: the model is asked again with the news instead (004-8). */
export const isSuperseded = ({ limitStands, news }: Facts): boolean => news.critical && !limitStands

/** Whether a turn that would end has out-of-band messages to be told first. */
export const hasNews = ({ limitStands, news }: Facts): boolean =>
  !limitStands && Object.values(news).includes(true)
