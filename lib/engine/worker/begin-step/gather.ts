import { newId } from '@waystation/base/ids.ts'
import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import { pipelined } from '#db/transaction.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { windowSize } from '#lib/engine/context/read-window.ts'
import { type Drained, drain, type WaitingItem, waitingItems } from '#lib/engine/inbox/drain.ts'
import type { Facts } from '#lib/engine/inbox/next-action.ts'
import { type OobRow, oobOf } from '#lib/engine/inbox/out-of-band-row.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { ReachedCap } from '#lib/engine/worker/limits/extensions.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answeredCalls } from './answered-calls.ts'
import { messagesOf, type StoredMessage } from './place-messages.ts'
import {
  currentAgent,
  isUnchanged,
  messageToRetry,
  type Newest,
  newestStep,
  parkedMessage,
  type Running,
  readTurn,
  type TurnRow
} from './step-state.ts'

/** The facts that decide whether a step starts at all. */
export type FirstFacts = { session: Facts; turn: TurnRow; newest: Newest | null; waiting: WaitingItem[] }

/** All facts that a new step depends on, read at one moment under the session's lock. */
export type StepFacts = FirstFacts & {
  lockedSession: Pick<LockedSession, 'agentId' | 'now'> & { turnId: string }
  /** The inbox items for this step. */
  drained: Drained
  /** The calls that the drained answers belong to. */
  answered: readonly CallRow[]
  /** The drained messages, as they are stored. */
  sent: readonly StoredMessage[]
  /** The waiting out-of-band messages. */
  oob: readonly OobRow[]
  /** The message that a parked turn left open; null if there is none. */
  parked: string | null
  /** The message of the failed turn, which "Retry now" continues; null if there is no retry. */
  retried: string | null
  /** The entry of the newest step, if this step continues with a message that a cap stopped; otherwise 0. */
  newestStep: number
  /** The spending cap that the session has reached. */
  reached: ReachedCap | undefined
  running: Running
  /** The agent and revision of the previous step, according to its message. */
  previousStep: RanOn | null
  /** The ID to use if the step starts a new message. */
  newMessageId: string
}

/** Reads the facts that decide whether a step starts. Requires the session's lock. */
export async function gatherFirst(tx: Ctx, session: LockedSession, turnId: string): Promise<FirstFacts> {
  const [facts, turnRead, waiting] = await pipelined([
    readFacts(tx, session),
    readTurn(tx, session, turnId),
    waitingItems(tx, session)
  ])
  return { session: facts, ...turnRead, waiting }
}

/**
 * Reads the remaining facts of a step. `known` is the agent configuration of the previous step. Requires the
 * session's lock.
 */
export async function gather(tx: Ctx, session: LockedSession, first: FirstFacts, known: Running) {
  const { turn, newest, waiting } = first
  const turnId = session.turnId as string
  const drained = drain(waiting, { firstStep: turn.messageId === null })
  const oobIds = waiting.flatMap(({ kind, itemId }) => (kind === 'oob' ? [itemId] : []))
  const [answered, sent, parked, window, reached, oob, running, retried] = await pipelined([
    answeredCalls(tx, session, drained.answers),
    messagesOf(tx, session, drained.messages),
    parkedMessage(tx, session, newest),
    windowSize(tx, session),
    // A step that was cut off was within the cap when it started, so it runs to its end.
    isCutOff(turn) || Object.keys(turn.caps).length === 0
      ? undefined
      : tx.ports.spending.reached(tx, session, turn.caps),
    oobIds.length === 0 ? [] : oobOf(tx, session, oobIds),
    isUnchanged(known, turn) ? known : currentAgent(tx, session, known),
    messageToRetry(tx, drained.retries)
  ])
  const continuesHeld = goAheadIn(answered) !== undefined && newest?.kind !== 'step'
  const facts: StepFacts = {
    ...first,
    lockedSession: { agentId: session.agentId, now: session.now, turnId },
    drained,
    answered,
    sent,
    oob,
    parked,
    retried,
    newestStep: continuesHeld ? await newestStep(tx, session) : 0,
    reached,
    running,
    previousStep: turn.ranOn,
    newMessageId: newId('msg')
  }
  return { facts, window }
}

/** Tells whether a step was started and not committed. */
export const isCutOff = ({ begun, committed }: Pick<TurnRow, 'begun' | 'committed'>): boolean =>
  begun > committed

/** Returns the approved "continue?" among these calls. */
export const goAheadIn = (answered: readonly CallRow[]): CallRow | undefined =>
  answered.find(call => call.kind === 'limit' && call.state === 'approved')
