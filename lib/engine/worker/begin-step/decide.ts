import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { Answerer } from '@waystation/protocol/call/answerers.ts'
import type { CallKind } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { NewEntry } from '#lib/engine/context/context-entries.ts'
import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import { drainOob, injected } from '#lib/engine/inbox/drain-out-of-band.ts'
import { isRequested } from '#lib/engine/inbox/next-action.ts'
import type { ReachedCap } from '#lib/engine/worker/limits/extensions.ts'
import { overLimit } from '#lib/engine/worker/limits/turn-limit.ts'
import { isOwn } from '#lib/kernel/identity.ts'
import { lateAnswer } from './answered-calls.ts'
import { goAheadIn, isCutOff, type StepFacts } from './gather.ts'
import { placed } from './place-messages.ts'
import { declinedLimitNotes, extraStepNote, handedNote, oobEntry, userEntry } from './step-notes.ts'

/** The plan of a step: everything that its transaction writes. */
export type StepPlan = {
  kind: 'step'
  /** The user messages that it takes in, as the agent reads them. */
  messages: ReturnType<typeof placed>
  /** The sender of the newest user message, which settles "continue?". */
  by: { name?: string | undefined; sender: Answerer | null }
  /** The message that the step writes to, and whether it is a new one. */
  messageId: string
  isNew: boolean
  /** The entries that it adds to the context. */
  entries: NewEntry[]
  /** The out-of-band messages among them. */
  outOfBand: OutOfBand[]
  /** The inbox items that it consumes. */
  items: WaitingItem[]
  /** Calls whose results appear at their own place in the context. */
  resultsInPlace: CallRow[]
  /** The turn's spent budget, including this step. `isFresh` means that a new budget starts now. */
  budget: { steps: number; usd: number; isFresh: boolean }
  /**
   * The run that it belongs to: the number of steps of earlier turns, and the entry after which the run's
   * messages start.
   */
  run: { rounds: number; from: number | null; starts: boolean }
  /** True if the first step of a turn was cut off or failed, and now runs again with the same input. */
  repeatsFirst: boolean
  ranOn: RanOn
  /** The handoff that makes another agent speak from this step on; null if there is none. */
  handed: HandOff | null
  /** How the step is stopped, if a limit or a cap applies. */
  blocked: {
    /**
     * Tells whether a turn limit stops a step that only an alarm started. `if it still applies` depends on a
     * "continue?" that can be settled before the step starts.
     */
    byLimit: 'no' | 'yes' | 'if it still applies'
    reason: string | undefined
    entries: NewEntry[]
    items: WaitingItem[]
    /** The message in which "continue?" opens; null means a new one. */
    messageId: string | null
  }
}

/**
 * The decision:
 *
 * - `ask`: the turn is at its limit, so "continue?" opens
 * - `step`: a step starts, unless a cap stops it
 */
export type Decision = { kind: 'ask'; limit: string; messageId: string | null } | StepPlan

/** Decides how a step starts. It is a pure function, which `begin-step.ts` calls once `nextAction` returns `step`. */
export function decide(facts: StepFacts): Decision {
  const { session, turn, newest, drained, answered, running, lockedSession, sent, previousStep, waiting } =
    facts
  const { turnId } = lockedSession
  const { revision } = running
  const { agentId, chat } = running.config
  const cutOff = isCutOff(turn)

  const goAhead = goAheadIn(answered)
  // A user message that a spending cap stopped is already in the context and waits for its step.
  const continuesHeld = goAhead !== undefined && newest?.kind !== 'step'
  const hasRequest = drained.messages.length > 0 || drained.retries.length > 0 || cutOff || continuesHeld

  // An alarm is not user input. It gets one new budget a day (001-20) and never settles "continue?".
  const newestInput = drained.messages.findLast(({ messageId }) => !isOwn(senderOf(facts, messageId)))
  const isAlarmOnly = newestInput === undefined && drained.messages.length > 0
  const isNewDay = isAlarmOnly && turn.budgetOfYesterday && !session.atLimit
  const isFresh = newestInput !== undefined || goAhead !== undefined || isNewDay
  const spent = isFresh ? { steps: 0, usd: 0 } : { steps: turn.budgetSteps, usd: turn.budgetUsd }
  const limit = overLimit(spent, chat.limits)
  // A step that is repeated was within the limit at its first start, and has already been counted.
  const isRepeat = cutOff || drained.retries.length > 0
  if (limit !== undefined && !isRepeat && !isAlarmOnly)
    return { kind: 'ask', limit, messageId: turn.messageId ?? messageOfNewest(facts) }

  const messages = placed(drained.messages, sent, lockedSession.now)
  const userEntries = messages.map(({ message: { id, metadata, parts } }) =>
    userEntry(turnId, id, parts as UserPart[], metadata)
  )
  const limitNotes = answered.flatMap(call => (call.kind === 'limit' ? declinedLimitNotes(call, turnId) : []))
  const previousMessageId =
    turn.messageId ?? facts.retried ?? messageOfNewest(facts) ?? (continuesHeld ? goAhead.messageId : null)

  const lateAnswers = answered.filter(call => call.deferredAt !== null)
  const outOfBand = drainOob(waiting, session)
  const isOutOfBandOnly = !isRequested(session)
  const continues =
    messages.length === 0 && lateAnswers.length === 0 && !(isOutOfBandOnly && turn.messageId === null)
      ? previousMessageId
      : null
  const messageId = continues ?? facts.newMessageId
  const injectedMessages = outOfBand
    .flatMap(({ itemId }) => facts.oob.filter(row => row.id === itemId))
    .map(row => injected(row, turn.now, messageId))
  const injectedEntries = injectedMessages.map(message => oobEntry(message, turnId, messageId))
  // Messages that arrived while the session was at rest come before the user's message (004-9, A).
  const injectedFirst = turn.messageId === null
  // A change of agent is a handoff.
  const handed = agentId === (previousStep?.agentId ?? lockedSession.agentId) ? null : turn.handed
  const notes =
    handed !== null && !session.results
      ? [handedNote(handed, turnId)]
      : drained.yields.length > 0 && !hasRequest
        ? [extraStepNote(turnId)]
        : []

  // A message that starts a turn also starts a run.
  const startsRun = turn.begun === 0 && (messages.length > 0 || continuesHeld)
  const from = continuesHeld ? facts.newestStep : (newest?.id ?? 0)
  const newestMessage = sent.find(({ id }) => id === newestInput?.messageId)
  const isOverLimit = limit !== undefined
  return {
    kind: 'step',
    messages,
    by: { name: newestMessage?.message.metadata?.sentBy, sender: newestMessage?.sender ?? null },
    messageId,
    isNew: continues === null,
    entries: [
      ...limitNotes,
      ...(injectedFirst ? injectedEntries : []),
      ...userEntries,
      ...notes,
      ...lateAnswers.map(call => lateAnswer(call, turnId)),
      ...(injectedFirst ? [] : injectedEntries)
    ],
    outOfBand: injectedMessages,
    items: [...drained.messages, ...drained.answers, ...drained.retries, ...drained.yields, ...outOfBand],
    resultsInPlace: answered.filter(call => call.deferredAt === null && call.result !== null),
    budget: { steps: spent.steps + (isRepeat && !isFresh ? 0 : 1), usd: spent.usd, isFresh },
    run: { rounds: startsRun ? 0 : turn.runRounds, from: startsRun ? from : turn.runFrom, starts: startsRun },
    repeatsFirst: turn.committed === 0 && turn.runRounds === 0 && (continuesHeld || turn.messageId !== null),
    ranOn: { agentId, revision },
    handed,
    blocked: {
      // Alarms never exceed a limit. Their messages are read when a person continues.
      byLimit:
        !isAlarmOnly || isRepeat
          ? 'no'
          : isOverLimit
            ? 'yes'
            : session.atLimit
              ? 'if it still applies'
              : 'no',
      reason: limit,
      entries: [...limitNotes, ...userEntries],
      items: [...drained.messages, ...drained.retries, ...answersTo(drained.answers, answered, 'limit')],
      messageId: messages.length === 0 ? previousMessageId : turn.messageId
    }
  }
}

/** Tells whether a plan is stopped, given the limits that apply after a user message has settled "continue?". */
export const isBlocked = (
  { blocked }: StepPlan,
  { cap, limitOpen }: { cap: ReachedCap | undefined; limitOpen: boolean }
): boolean =>
  cap !== undefined || blocked.byLimit === 'yes' || (blocked.byLimit === 'if it still applies' && limitOpen)

/** Returns the message of the newest entry if that is a step, because its turn continues in it. */
const messageOfNewest = ({ newest }: StepFacts): string | null =>
  newest?.kind === 'step' ? newest.messageId : null

/** Returns the sender of a message. */
const senderOf = ({ sent }: StepFacts, messageId: string | null): Answerer | null =>
  sent.find(({ id }) => id === messageId)?.sender ?? null

/** Returns the answers to calls of this kind. */
const answersTo = (answers: readonly WaitingItem[], calls: readonly CallRow[], kind: CallKind) =>
  answers.filter(item => calls.some(call => call.kind === kind && call.toolCallId === item.toolCallId))
