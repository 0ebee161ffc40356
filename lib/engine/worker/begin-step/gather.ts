import { newId } from '@waystation/base/ids.ts'
import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import { pipelined } from '#db/transaction.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { type WindowSize, windowSize } from '#lib/engine/context/read-window.ts'
import { type Drained, drain, type WaitingItem, waitingItems } from '#lib/engine/inbox/drain.ts'
import type { Facts } from '#lib/engine/inbox/next-action.ts'
import { type OobRow, oobOf } from '#lib/engine/inbox/out-of-band-row.ts'
import { type FactsKey, readFacts } from '#lib/engine/inbox/read-facts.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { ReachedCap } from '#lib/engine/worker/limits/extensions.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answeredCalls } from './answered-calls.ts'
import { type StoredMessage, waitingMessages } from './place-messages.ts'
import {
  currentAgent,
  isUnchanged,
  type Running,
  readTurn,
  type StoredTurn,
  type TurnRow
} from './step-state.ts'

/** The facts that decide whether a step starts at all. */
export type FirstFacts = StoredTurn & {
  session: Facts
  waiting: WaitingItem[]
  /** The messages among them, as they are stored. */
  sent: readonly StoredMessage[]
  /** The size of the context window before this step. */
  window: WindowSize
}

/** All facts that a new step depends on, read at one moment under the session's lock. */
export type StepFacts = FirstFacts & {
  lockedSession: Pick<LockedSession, 'agentId' | 'now'> & { turnId: string }
  /** The inbox items for this step. */
  drained: Drained
  /** The calls that the drained answers belong to. */
  answered: readonly CallRow[]
  /** The waiting out-of-band messages. */
  oob: readonly OobRow[]
  /** The spending cap that the session has reached. */
  reached: ReachedCap | undefined
  running: Running
  /** The agent and revision of the previous step, according to its message. */
  previousStep: RanOn | null
  /** The ID to use if the step starts a new message. */
  newMessageId: string
}

/**
 * Reads, in one round trip, the facts that decide whether a step starts, and those that most steps need. Can be
 * sent along with the lock, and then reads under it.
 */
export async function gatherFirst(tx: Ctx, session: FactsKey & { turnId: string }): Promise<FirstFacts> {
  const [facts, turn, waiting, sent, window] = await pipelined([
    readFacts(tx, session),
    readTurn(tx, session.turnId),
    waitingItems(tx, session.sessionKey),
    waitingMessages(tx, session.sessionKey),
    windowSize(tx, session.sessionKey)
  ])
  return { session: facts, ...turn, waiting, sent, window }
}

/**
 * Reads the remaining facts of a step. `known` is the agent configuration of the previous step. Requires the
 * session's lock.
 */
export async function gather(
  tx: Ctx,
  session: LockedSession,
  first: FirstFacts,
  known: Running
): Promise<StepFacts> {
  const { turn, waiting } = first
  const turnId = session.turnId as string
  const drained = drain(waiting, { firstStep: turn.messageId === null })
  const oobIds = waiting.flatMap(({ kind, itemId }) => (kind === 'oob' ? [itemId] : []))
  const [answered, reached, oob, running] = await pipelined([
    answeredCalls(tx, session, drained.answers),
    // A step that was cut off was within the cap when it started, so it runs to its end.
    isCutOff(turn) || Object.keys(turn.caps).length === 0
      ? undefined
      : tx.ports.spending.reached(tx, session, turn.caps),
    oobIds.length === 0 ? [] : oobOf(tx, session, oobIds),
    isUnchanged(known, turn) ? known : currentAgent(tx, session, known)
  ])
  return {
    ...first,
    lockedSession: { agentId: session.agentId, now: session.now, turnId },
    drained,
    answered,
    oob,
    reached,
    running,
    previousStep: turn.ranOn,
    newMessageId: newId('msg')
  }
}

/** Tells whether a step was started and not committed. */
export const isCutOff = ({ begun, committed }: Pick<TurnRow, 'begun' | 'committed'>): boolean =>
  begun > committed

/** Returns the approved "continue?" among these calls. */
export const goAheadIn = (answered: readonly CallRow[]): CallRow | undefined =>
  answered.find(call => call.kind === 'limit' && call.state === 'approved')
