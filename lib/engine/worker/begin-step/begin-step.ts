import { inTransaction, unchanged } from '#db/transaction.ts'
import { type ClaimedRow, claimLocked, finish } from '#lib/engine/calls/claim.ts'
import { inWords, moveWindow } from '#lib/engine/context/move-window.ts'
import { type Move, planMove, type WindowSize } from '#lib/engine/context/read-window.ts'
import { tokenRatio } from '#lib/engine/context/token-ratio.ts'
import { collapseOob } from '#lib/engine/inbox/collapse-out-of-band.ts'
import { nextAction } from '#lib/engine/inbox/next-action.ts'
import { askToGoOn, goOnByMessage, hasOpenLimit } from '#lib/engine/limits/turn-limit.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Begin, Step } from '#lib/engine/turn/turn.ts'
import { saidIn } from '#lib/engine/worker/read-run.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AnsweredCall } from '#lib/kernel/ports/observer.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import { textOf } from '#lib/protocol/session/message.ts'
import { resultTokens } from './answered-calls.ts'
import { applyHold, applyStep } from './apply.ts'
import { decide, isHeldBack, type StepPlan } from './decide.ts'
import { gather, gatherFirst, type StepFacts } from './gather.ts'
import { placeMessages } from './place-messages.ts'
import type { Running } from './step-state.ts'

/** What `beginStep` came to, without the window, which is read behind the transaction. */
export type Begun =
  | { kind: Exclude<Begin['kind'], 'step' | 'tools'> }
  | { kind: 'tools'; claimed?: readonly ClaimedRow[] | undefined }
  | (Pick<Step, 'kind' | 'messageId' | 'round' | 'lastAgentId' | 'said'> & {
      answered: readonly AnsweredCall[]
      running: Running
      /** The window is to move, and the model is to sum up what leaves it. */
      move?: Move
      /** The run that was parked until a message began this one: its steps, and where its own messages stand. */
      left?: { rounds: number; from: number | null }
    })

/** How a turn goes on without a step. */
const endings = { wait: 'waiting', park: 'parked', done: 'done' } as const

type With = {
  /** The tokens of instructions and tools under `known`, which stand in the prompt beside the window. */
  fixed?: number
  /** A call to record first. */
  record?:
    | { toolCallId: string; result: CallResult; tokens: number; duration: number | undefined }
    | undefined
  /** Claims calls that can run, so many at once; undefined: they are left to be claimed. */
  room?: ((tx: Ctx) => Promise<number>) | undefined
}

/**
 * Begins a step if anything starts one (docs/concepts/engine.md#steps), in one fenced transaction: gathers what there is, decides, and
 * applies that. After it a crash loses nothing: the step is known as begun, and is run again from the same context. `known` is
 * what the step before ran on; it is read anew only when the session runs on another revision now, or under another overlay.
 */
export async function beginStep(
  ctx: Ctx,
  lease: Lease,
  known: Running,
  { fixed = 0, record, room }: With = {}
): Promise<Begun> {
  return inTransaction<Begun>(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    const { turnId } = head
    if (record !== undefined) await finish(tx, head, record.toolCallId, record.result, record)
    const only = (begun: Begun) => (record === undefined ? unchanged(begun) : begun)
    if (turnId === null || head.cancelRequested === turnId) return only({ kind: 'aborted' })
    const first = await gatherFirst(tx, head, turnId)
    const action = nextAction(first.session)
    if (action === 'tools' && room !== undefined)
      return { kind: 'tools', claimed: await claimLocked(tx, head, await room(tx), first.session) }
    if (action === 'tools') return only({ kind: 'tools' })
    if (action !== 'step') return only({ kind: endings[action] })

    const { facts, window } = await gather(tx, head, first, known)
    const plan = decide(facts)
    if (plan.kind === 'ask') {
      await askToGoOn(tx, head, plan.messageId, plan.limit)
      return { kind: 'parked' }
    }
    await placeMessages(tx, head, plan.messages)
    const stands = await afterWord(tx, head, facts, plan)
    if (isHeldBack(plan, stands)) {
      await applyHold(tx, head, facts, plan, stands.cap)
      return { kind: 'parked' }
    }
    await applyStep(tx, head, facts, plan)
    const move = await makeRoom(tx, head, facts, plan, window, fixed)
    if (plan.told.length > 0) await collapseOob(tx, head)
    const { turn, shown, answered, running } = facts
    return {
      kind: 'step',
      messageId: plan.messageId,
      answered,
      running,
      round: turn.committed + 1,
      ...(shown === null ? {} : { lastAgentId: shown.agentId }),
      said: plan.repeatsFirst ? await saidIn(tx, head.sessionKey, plan.run.from) : saidBy(plan),
      ...(plan.run.begins && turn.runRounds > 0
        ? { left: { rounds: turn.runRounds, from: turn.runFrom } }
        : {}),
      ...(move === undefined ? {} : { move })
    }
  })
}

/**
 * What holds the session once a person's message had the agent go on, where "continue?" stands: another cap may be reached than
 * the one that somebody allowed more at.
 */
async function afterWord(
  tx: Ctx,
  head: LockedSession,
  { session, turn, reached }: StepFacts,
  { by, held }: StepPlan
) {
  const isLifted = session.limitStands && (await goOnByMessage(tx, head, by, reached))
  return {
    cap: isLifted ? await tx.ports.spending.reached(tx, head, turn.caps) : reached,
    limitStands: held.byLimit === 'if it still applies' && (await hasOpenLimit(tx, head))
  }
}

/** Plans to move the window where the prompt would be too long; what is to be summed up in words is moved here. */
async function makeRoom(
  tx: Ctx,
  head: LockedSession,
  { running }: StepFacts,
  { entries, atTheirPlace, messageId }: StepPlan,
  window: WindowSize,
  fixed: number
): Promise<Move | undefined> {
  const { chat } = running.config
  const added = entries.reduce((sum, entry) => sum + entry.tokens, 0)
  const settled = atTheirPlace.reduce((sum, call) => sum + resultTokens(call), 0)
  const room = {
    contextTokens: chat.limits.contextTokens,
    fixed: fixed + countTokens(window.summary),
    ratio: tokenRatio(window.usage, chat.model)
  }
  const move = await planMove(tx, head, room, { ...window, tokens: window.tokens + added + settled })
  if (move === undefined || chat.compaction !== 'words') return move
  await moveWindow(tx, head, move, inWords(move), messageId)
  return undefined
}

/** What people said with the messages of a step. */
const saidBy = ({ messages }: StepPlan): Step['said'] =>
  messages.map(({ message: { id, metadata, parts } }) => ({
    id,
    text: textOf({ parts }),
    ...(metadata?.sentBy === undefined ? {} : { sentBy: metadata.sentBy })
  }))
