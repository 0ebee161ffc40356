import { together } from '#db/transaction.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { windowSize } from '#lib/engine/context/read-window.ts'
import { type Drained, drain, type WaitingItem, waitingItems } from '#lib/engine/inbox/drain.ts'
import type { Facts } from '#lib/engine/inbox/next-action.ts'
import { type OobRow, oobOf } from '#lib/engine/inbox/out-of-band-row.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import type { ReachedCap } from '#lib/engine/limits/extensions.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { RanOn } from '#lib/protocol/agent/agent-revision.ts'
import { answeredCalls } from './answered-calls.ts'
import { messagesOf, type Stored } from './place-messages.ts'
import {
  isStill,
  messageToRetry,
  type Newest,
  newestEntry,
  newestStep,
  parkedMessage,
  type Running,
  readTurn,
  runningNow,
  stepRanOn,
  type TurnRow
} from './step-state.ts'

/** What the first look at a session reads: whether a step begins at all. */
export type FirstFacts = { session: Facts; turn: TurnRow; newest: Newest; waiting: WaitingItem[] }

/** All that a step which begins depends on, as of one moment under the lock of the session. */
export type StepFacts = FirstFacts & {
  head: Pick<LockedSession, 'agentId' | 'now'> & { turnId: string }
  /** What the inbox gives to this step. */
  drained: Drained
  /** The calls that its answers settle. */
  answered: readonly CallRow[]
  /** Its messages, as they are stored. */
  sent: readonly Stored[]
  /** Its out-of-band messages. */
  oob: readonly OobRow[]
  /** The message that was left open when its turn parked. */
  parked: string | null
  /** The message that a failed turn was writing, where "Retry now" goes on in it. */
  retried: string | null
  /** The newest step's entry, where the step goes on with a message that was held back; else 0. */
  newestStep: number
  /** The spending cap that is reached. */
  reached: ReachedCap | undefined
  running: Running
  /** What the step before this one ran on, as its message says. */
  shown: RanOn | null
  /** The ID of a message of the agent, if the step begins one. */
  newMessageId: string
}

export async function gatherFirst(tx: Ctx, head: LockedSession, turnId: string): Promise<FirstFacts> {
  const [session, turn, newest, waiting] = await together([
    readFacts(tx, head),
    readTurn(tx, head, turnId),
    newestEntry(tx, head),
    waitingItems(tx, head)
  ])
  return { session, turn, newest, waiting }
}

/** Reads the rest, together. `known`: what the step before ran on. */
export async function gather(tx: Ctx, head: LockedSession, first: FirstFacts, known: Running) {
  const { turn, newest, waiting } = first
  const turnId = head.turnId as string
  const drained = drain(waiting, { firstStep: turn.messageId === null })
  const oobIds = waiting.flatMap(({ kind, itemId }) => (kind === 'oob' ? [itemId] : []))
  const [answered, sent, parked, window, reached, oob, running, shown, retried] = await together([
    answeredCalls(tx, head, drained.answers),
    messagesOf(tx, head, drained.messages),
    parkedMessage(tx, head, newest),
    windowSize(tx, head),
    // A step that was begun and cut off is run to its end: it was within the cap when it began.
    isCutOff(turn) ? undefined : tx.ports.spending.reached(tx, head, turn.caps),
    oobIds.length === 0 ? [] : oobOf(tx, head, oobIds),
    isStill(known, turn) ? known : runningNow(tx, head, known),
    turn.ranOn ?? stepRanOn(tx, head),
    messageToRetry(tx, drained.retries)
  ])
  const goesOn = goAheadIn(answered) !== undefined && newest?.kind !== 'step'
  const facts: StepFacts = {
    ...first,
    head: { agentId: head.agentId, now: head.now, turnId },
    drained,
    answered,
    sent,
    oob,
    parked,
    retried,
    newestStep: goesOn ? await newestStep(tx, head) : 0,
    reached,
    running,
    shown,
    newMessageId: newId('msg')
  }
  return { facts, window }
}

/** Whether a step was begun and not committed. */
export const isCutOff = ({ begun, committed }: Pick<TurnRow, 'begun' | 'committed'>): boolean =>
  begun > committed

/** The "continue?" that somebody said yes to. */
export const goAheadIn = (answered: readonly CallRow[]): CallRow | undefined =>
  answered.find(call => call.kind === 'limit' && call.state === 'approved')
