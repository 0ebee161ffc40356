import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { NewEntry } from '#lib/engine/context/context-entries.ts'
import { countPartTokens } from '#lib/engine/context/count-part-tokens.ts'
import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import { drainOob, injected } from '#lib/engine/inbox/drain-out-of-band.ts'
import { isAsked } from '#lib/engine/inbox/next-action.ts'
import type { ReachedCap } from '#lib/engine/limits/extensions.ts'
import { overLimit } from '#lib/engine/limits/turn-limit.ts'
import { isOwn } from '#lib/kernel/identity.ts'
import type { RanOn } from '#lib/protocol/agent/agent-revision.ts'
import type { HandOff } from '#lib/protocol/agent/hand-off.ts'
import type { Answerer } from '#lib/protocol/call/answerers.ts'
import type { CallKind } from '#lib/protocol/call/call.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'
import { lateAnswer } from './answered-calls.ts'
import { goAheadIn, isCutOff, type StepFacts } from './gather.ts'
import { placed } from './place-messages.ts'
import { anotherRound, handedNote, oobEntry, refusalOf } from './step-notes.ts'

/** A step that begins: what it writes. */
export type StepPlan = {
  kind: 'step'
  /** The messages of people that it takes in, as the agent reads them. */
  messages: ReturnType<typeof placed>
  /** Who sent the newest of them: "continue?" is answered by it. */
  by: { name?: string | undefined; sender: Answerer | null }
  /** The message that the step writes in, and whether it is a new one. */
  messageId: string
  isNew: boolean
  /** The entries that it adds to the model's context. */
  entries: NewEntry[]
  /** The out-of-band messages among them. */
  told: OutOfBand[]
  /** What it takes from the inbox. */
  items: WaitingItem[]
  /** Calls whose results stand at their own place in the context. */
  atTheirPlace: CallRow[]
  /** What the turn has spent of its limits, with this step. `isFresh`: it counts from now. */
  budget: { steps: number; usd: number; isFresh: boolean }
  /** The run that it belongs to: steps of earlier turns, and the entry behind which its messages stand. */
  run: { rounds: number; from: number | null; begins: boolean }
  /** The first round of a turn that was cut off, or failed, is begun again with what it had begun with. */
  repeatsFirst: boolean
  ranOn: RanOn
  /** The hand-over by which another agent speaks from here on. */
  handed: HandOff | null
  /** How it is held back, if a limit or a cap holds it. */
  held: {
    /** Nobody asked for more than the alarm that wakes it, and a limit is reached: `true`, or what only a look can tell. */
    byLimit: 'no' | 'yes' | 'if it still applies'
    reason: string | undefined
    entries: NewEntry[]
    items: WaitingItem[]
    /** The message in which "continue?" opens; null: a new one. */
    messageId: string | null
  }
}

/**
 * - `ask`: the turn is at its limit: "continue?" opens
 * - `step`: a step begins, if no cap holds it
 */
export type Decision = { kind: 'ask'; limit: string; messageId: string | null } | StepPlan

/** Decides how a step begins. Reads nothing and writes nothing; `begin-step.ts` asks it once `nextAction` says `step`. */
export function decide(facts: StepFacts): Decision {
  const { session, turn, newest, drained, answered, running, head, sent, shown, waiting } = facts
  const { turnId } = head
  const { revision } = running
  const { agentId, chat } = running.config
  const cutOff = isCutOff(turn)

  const goAhead = goAheadIn(answered)
  // Kept back at a spending cap, a person's message is in the context and waits for its step.
  const goesOn = goAhead !== undefined && newest?.kind !== 'step'
  const isByHand = drained.messages.length > 0 || drained.retries.length > 0 || cutOff || goesOn

  // What the agent set itself is no person's word: it has one budget a day (001-20), and answers no "continue?".
  const word = drained.messages.findLast(({ messageId }) => !isOwn(senderOf(facts, messageId)))
  const wakes = word === undefined && drained.messages.length > 0
  const isNewDay = wakes && turn.budgetOfYesterday && !session.limitStands
  const isFresh = word !== undefined || goAhead !== undefined || isNewDay
  const spent = isFresh ? { steps: 0, usd: 0 } : { steps: turn.budgetSteps, usd: turn.budgetUsd }
  const limit = overLimit(spent, chat.limits)
  // A step that was begun before, and failed or was cut off, was within the limit then, and was counted.
  const again = cutOff || drained.retries.length > 0
  if (limit !== undefined && !again && !wakes)
    return { kind: 'ask', limit, messageId: turn.messageId ?? messageOfNewest(facts) }

  const messages = placed(drained.messages, sent, head.now)
  const said = messages.map(({ message: { id, metadata, parts } }): NewEntry => {
    const { duration } = metadata ?? {}
    return {
      kind: 'user',
      turnId,
      messageId: id,
      payload: { parts: parts as UserPart[], ...(duration === undefined ? {} : { duration }) },
      tokens: countPartTokens(parts as UserPart[])
    }
  })
  const refused = answered.flatMap(call => (call.kind === 'limit' ? refusalOf(call, turnId) : []))
  const before =
    turn.messageId ?? facts.retried ?? messageOfNewest(facts) ?? (goesOn ? goAhead.messageId : null)

  const late = answered.filter(call => call.deferredAt !== null)
  const news = drainOob(waiting, session)
  const isStartedByNews = !isAsked(session)
  const continues =
    messages.length === 0 && late.length === 0 && !(isStartedByNews && turn.messageId === null)
      ? before
      : null
  const messageId = continues ?? facts.newMessageId
  const told = news
    .flatMap(({ itemId }) => facts.oob.filter(row => row.id === itemId))
    .map(row => injected(row, turn.now, messageId))
  const toldEntries = told.map(one => oobEntry(one, turnId, messageId))
  // What came while the session rested is known when the person's message is read (004-9, A).
  const isToldFirst = turn.messageId === null
  // Another agent speaks from here on.
  const handed = agentId === (shown?.agentId ?? head.agentId) ? null : turn.handed
  const notes =
    handed !== null && !session.results
      ? [handedNote(handed, turnId)]
      : drained.yields.length > 0 && !isByHand
        ? [anotherRound(turnId)]
        : []

  // A message that begins the turn begins a run as well.
  const begins = turn.begun === 0 && (messages.length > 0 || goesOn)
  const from = goesOn ? facts.newestStep : (newest?.id ?? 0)
  const last = sent.find(({ id }) => id === word?.messageId)
  const isOverLimit = limit !== undefined
  return {
    kind: 'step',
    messages,
    // Of several the last one's, as the newest word.
    by: { name: last?.message.metadata?.sentBy, sender: last?.sender ?? null },
    messageId,
    isNew: continues === null,
    entries: [
      ...refused,
      ...(isToldFirst ? toldEntries : []),
      ...said,
      ...notes,
      ...late.map(call => lateAnswer(call, turnId)),
      ...(isToldFirst ? [] : toldEntries)
    ],
    told,
    items: [...drained.messages, ...drained.answers, ...drained.retries, ...drained.yields, ...news],
    atTheirPlace: answered.filter(call => call.deferredAt === null && call.result !== null),
    budget: { steps: spent.steps + (again && !isFresh ? 0 : 1), usd: spent.usd, isFresh },
    run: { rounds: begins ? 0 : turn.runRounds, from: begins ? from : turn.runFrom, begins },
    repeatsFirst: turn.committed === 0 && turn.runRounds === 0 && (goesOn || turn.messageId !== null),
    ranOn: { agentId, revision },
    handed,
    held: {
      // Alarms go by no limit: what they said is read when somebody has the agent go on.
      byLimit:
        !wakes || again ? 'no' : isOverLimit ? 'yes' : session.limitStands ? 'if it still applies' : 'no',
      reason: limit,
      entries: [...refused, ...said],
      items: [...drained.messages, ...drained.retries, ...answersTo(drained.answers, answered, 'limit')],
      messageId: messages.length === 0 ? before : turn.messageId
    }
  }
}

/** Whether a plan is held back, once it is known what stands after a person's message had the agent go on. */
export const isHeldBack = (
  { held }: StepPlan,
  { cap, limitStands }: { cap: ReachedCap | undefined; limitStands: boolean }
): boolean =>
  cap !== undefined || held.byLimit === 'yes' || (held.byLimit === 'if it still applies' && limitStands)

/** The message of the newest entry, if that is a step: its turn goes on in it. */
const messageOfNewest = ({ newest }: StepFacts): string | null =>
  newest?.kind === 'step' ? newest.messageId : null

/** Who sent one of these messages. */
const senderOf = ({ sent }: StepFacts, messageId: string | null): Answerer | null =>
  sent.find(({ id }) => id === messageId)?.sender ?? null

/** Those of the inbox's answers whose calls are of this kind. */
const answersTo = (answers: readonly WaitingItem[], calls: readonly CallRow[], kind: CallKind) =>
  answers.filter(item => calls.some(call => call.kind === kind && call.toolCallId === item.toolCallId))
