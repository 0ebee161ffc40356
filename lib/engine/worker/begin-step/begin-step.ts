import { inTransaction, together } from '#db/transaction.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { addOobAuthors } from '#lib/engine/context/authors.ts'
import { addEntries, countResult, type NewEntry } from '#lib/engine/context/context-entries.ts'
import { countPartTokens } from '#lib/engine/context/count-part-tokens.ts'
import { inWords, moveWindow } from '#lib/engine/context/move-window.ts'
import { type Move, planMove, windowSize } from '#lib/engine/context/read-window.ts'
import { tokenRatio } from '#lib/engine/context/token-ratio.ts'
import { collapseOob } from '#lib/engine/inbox/collapse-out-of-band.ts'
import { consume, drain, type WaitingItem, waitingItems } from '#lib/engine/inbox/drain.ts'
import { drainOob, injected, markInjected } from '#lib/engine/inbox/drain-out-of-band.ts'
import { isAsked, nextAction } from '#lib/engine/inbox/next-action.ts'
import { oobOf } from '#lib/engine/inbox/out-of-band-row.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import { reachedCap } from '#lib/engine/limits/reached-cap.ts'
import { capQuestion, holdBack } from '#lib/engine/limits/spend-cap.ts'
import { askToGoOn, goOnByMessage, limitStands, overLimit } from '#lib/engine/limits/turn-limit.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Head, type Lease, lockOwned } from '#lib/engine/log/session-lock.ts'
import type { Begin, Step } from '#lib/engine/turn/turn.ts'
import { saidIn } from '#lib/engine/worker/replace-input.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { isOwn } from '#lib/kernel/identity.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { AnsweredCall } from '#lib/kernel/ports/observer.ts'
import type { Answerer } from '#lib/protocol/call/answerers.ts'
import type { CallKind } from '#lib/protocol/call/call.ts'
import { textOf, type UserPart } from '#lib/protocol/session/message.ts'
import { answeredCalls, lateAnswer, resultTokens } from './answered-calls.ts'
import { messagesOf, placeMessages } from './place-messages.ts'
import { startMessage } from './start-message.ts'
import { anotherRound, handedNote, oobEntry, refusalOf } from './step-notes.ts'
import {
  isStill,
  messageToRetry,
  newestEntry,
  parkedMessage,
  type Running,
  runningNow,
  stepRanOn,
  turnOf
} from './step-state.ts'

/** What `beginStep` found, without the window, which the runner reads behind the transaction. */
export type Begun =
  | { kind: Exclude<Begin['kind'], 'step'> }
  | (Pick<Step, 'kind' | 'messageId' | 'round' | 'lastAgentId' | 'said'> & {
      answered: readonly AnsweredCall[]
      running: Running
      /** The window is to move, and the model is to sum up what leaves it. */
      move?: Move
      /** The run that was parked until a message began this one: its steps, and where its own messages stand. */
      left?: { rounds: number; from: number | null }
    })

/**
 * Begins a step if anything starts one (docs/concepts/engine.md#steps): drains the inbox into the context, defers what is still open,
 * places the messages, drops what a cut-off step left, and shows the step's start, all in one fenced transaction. After
 * it a crash loses nothing: the step is known as begun, and is run again from the same context. `known` is what the step
 * before ran on; it is read anew only when the session runs on another revision now, or under another overlay. `fixed`: the
 * tokens of instructions and tools under `known`, which stand in the prompt beside the window.
 */
export async function beginStep(ctx: Ctx, lease: Lease, known: Running, fixed = 0): Promise<Begun> {
  return inTransaction<Begun>(ctx, async tx => {
    const head = await lockOwned(tx, lease)
    if (head.turnId === null || head.cancelRequested === head.turnId) throw new Unchanged({ kind: 'aborted' })
    // What the lock keeps still is read together, and what does not touch each other is written together.
    const [facts, turn, newest, waiting] = await together([
      readFacts(tx, head),
      turnOf(tx, head, head.turnId),
      newestEntry(tx, head),
      waitingItems(tx, head)
    ])
    const action = nextAction(facts)
    if (action !== 'step') throw new Unchanged({ kind: endings[action] })
    const atLimit = facts.limitStands

    const drained = drain(waiting, { firstStep: turn.messageId === null })
    const beside = waiting.filter(item => item.kind === 'oob')
    const [answered, sent, parked, window, reached, oobRows, running, shown] = await together([
      answeredCalls(tx, head, drained.answers),
      messagesOf(tx, head, drained.messages),
      parkedMessage(tx, head, newest),
      windowSize(tx, head),
      // A step that was begun and cut off is run to its end: it was within the cap when it began.
      turn.begun > turn.committed ? undefined : reachedCap(tx, head, turn.caps),
      beside.length === 0
        ? undefined
        : oobOf(
            tx,
            head,
            beside.map(item => item.itemId)
          ),
      isStill(known, turn) ? known : runningNow(tx, head, known),
      turn.ranOn ?? stepRanOn(tx, head)
    ])
    const { limits } = running.config.chat
    const { revision } = running
    const { agentId } = running.config
    // Another agent speaks from here on.
    const handed = agentId === (shown?.agentId ?? head.agentId) ? null : turn.handed
    const late = answered.filter(call => call.deferredAt !== null)
    const resultsAreIn = facts.results
    const cutOff = turn.begun > turn.committed

    const allowed = answered.find(call => call.kind === 'limit' && call.state === 'approved')
    // Kept back at a spending cap, a person's message is in the context and waits for its step.
    const goesOn = allowed !== undefined && newest?.kind !== 'step'
    const asked = drained.messages.length > 0 || drained.retries.length > 0 || cutOff || goesOn
    const news = drainOob(beside, facts)
    const byNews = !isAsked(facts)

    // What the agent set itself is no person's word: it has one budget a day (001-20), and answers no "continue?".
    const word = drained.messages.findLast(({ messageId }) => !isOwn(senderOf(sent, messageId)))
    const wakes = word === undefined && drained.messages.length > 0
    const newDay = wakes && turn.budgetOfYesterday && !atLimit
    const fresh = word !== undefined || allowed !== undefined || newDay
    const budget = fresh ? { steps: 0, usd: 0 } : { steps: turn.budgetSteps, usd: turn.budgetUsd }
    const limit = overLimit(budget, limits)
    // A step that was begun before, and failed or was cut off, was within the limit then, and was counted.
    const again = cutOff || drained.retries.length > 0
    if (limit !== undefined && !again && !wakes) {
      await askToGoOn(tx, head, turn.messageId ?? (newest?.kind === 'step' ? newest.messageId : null), limit)
      return { kind: 'parked' }
    }

    const newMessages = await placeMessages(tx, head, drained.messages, sent)
    const { turnId } = head
    const said: NewEntry[] = newMessages.map(message => ({
      kind: 'user',
      turnId,
      messageId: message.id,
      payload: { parts: message.parts, ...durationOf(message.metadata) },
      tokens: countPartTokens(message.parts as UserPart[])
    }))
    const refused = answered.flatMap(call => (call.kind === 'limit' ? refusalOf(call, turnId) : []))
    const before =
      turn.messageId ??
      (await messageToRetry(tx, drained.retries)) ??
      (newest?.kind === 'step' ? newest.messageId : goesOn ? allowed.messageId : null)

    // Whose message it is: of several the last one's, as the newest word.
    const last = sent.find(({ id }) => id === word?.messageId)
    const by = { name: last?.message.metadata?.sentBy, sender: last?.sender ?? null }
    const isLifted = atLimit && (await goOnByMessage(tx, head, by, reached))
    const cap = isLifted ? await reachedCap(tx, head, turn.caps) : reached
    // Alarms go by no limit: what they said is read when somebody has the agent go on.
    const held = wakes && !again && (limit !== undefined || (atLimit && (await limitStands(tx, head))))
    if (cap !== undefined || held) {
      const reason = limit === undefined ? undefined : { reason: limit }
      const question = cap === undefined ? reason : await capQuestion(tx, head, cap)
      await holdBack(tx, head, question, {
        turn: { ...turn, cutOff, parked },
        writing: newMessages.length === 0 ? before : turn.messageId,
        entries: [...refused, ...said],
        items: [...drained.messages, ...drained.retries, ...answersTo(drained.answers, answered, 'limit')]
      })
      return { kind: 'parked' }
    }

    const atTheirPlace = answered.filter(call => call.deferredAt === null && call.result !== null)
    // A message that begins the turn begins a run as well.
    const beginsRun = turn.begun === 0 && (newMessages.length > 0 || goesOn)
    const runFrom = beginsRun ? (goesOn ? await newestStep(tx, head) : (newest?.id ?? 0)) : turn.runFrom
    const continues =
      newMessages.length === 0 && late.length === 0 && !(byNews && turn.messageId === null)
        ? (before ?? undefined)
        : undefined
    const messageId = continues ?? newId('msg')
    const told = news
      .flatMap(({ itemId }) => oobRows?.filter(row => row.id === itemId) ?? [])
      .map(row => injected(row, turn.now, messageId))
    const beforehand = turn.messageId === null ? told : []
    const entries = [
      ...refused,
      // What came while the session rested is known when the person's message is read (004-9, A).
      ...beforehand.map(one => oobEntry(one, turnId, messageId)),
      ...said,
      ...(handed !== null && !resultsAreIn
        ? [handedNote(handed, turnId)]
        : drained.yields.length > 0 && !asked
          ? [anotherRound(turnId)]
          : []),
      ...late.map(call => lateAnswer(call, turnId)),
      ...(beforehand.length > 0 ? [] : told.map(one => oobEntry(one, turnId, messageId)))
    ]
    await together([
      tx.sql`
        update calls set deferred_at = clock_timestamp()
        where session_key = ${head.sessionKey} and result is null and deferred_at is null and context_id is not null`,
      head.status === 'running'
        ? undefined
        : append(tx, head, [{ type: 'status', status: 'running', turnId }]),
      addEntries(tx, head, entries),
      ...atTheirPlace.map(call => countResult(tx, head, call.contextId, resultTokens(call))),
      consume(tx, [...drained.messages, ...drained.answers, ...drained.retries, ...drained.yields, ...news]),
      startMessage(
        tx,
        head,
        { ...turn, cutOff, parked },
        { messageId, isNew: continues === undefined, told, ranOn: { agentId, revision }, shown, handed }
      ),
      markInjected(tx, head, told),
      addOobAuthors(tx, head.sessionKey, told),
      tx.sql`
        update turns set begun = committed + 1, began_at = clock_timestamp(), message_id = ${messageId},
          budget_steps = ${budget.steps + (again && !fresh ? 0 : 1)}, budget_usd = ${budget.usd},
          run_rounds = ${beginsRun ? 0 : turn.runRounds}, run_from = ${runFrom},
          budget_since = case when ${fresh} then clock_timestamp() else budget_since end, retry_at = null,
          ran_on = ${{ agentId, revision }}::jsonb,
          revisions = case when ${agentId !== head.agentId} or revisions[cardinality(revisions)] = ${revision}
            then revisions else revisions || ${revision}::int end
        where id = ${turnId}`,
      tx.sql`
        update sessions set status = 'running', error = null, retry_at = null
        where key = ${head.sessionKey} and status <> 'running'`
    ])
    const added = entries.reduce((sum, entry) => sum + entry.tokens, 0)
    const settled = atTheirPlace.reduce((sum, call) => sum + resultTokens(call), 0)
    const room = {
      contextTokens: limits.contextTokens,
      fixed: fixed + countTokens(window.summary),
      ratio: tokenRatio(window.usage, running.config.chat.model)
    }
    const move = await planMove(tx, head, room, { ...window, tokens: window.tokens + added + settled })
    const byWords = move !== undefined && running.config.chat.compaction === 'words'
    if (byWords) await moveWindow(tx, head, move, inWords(move), messageId)
    if (told.length > 0) await collapseOob(tx, head)
    const taken = newMessages.map(({ id, metadata, parts }) => ({
      id,
      text: textOf({ parts }),
      ...(metadata?.sentBy === undefined ? {} : { sentBy: metadata.sentBy })
    }))
    // A first round that was cut off, or failed, is begun again with what it had begun with.
    const asBegun =
      turn.committed === 0 && turn.runRounds === 0 && (goesOn || turn.messageId !== null)
        ? await saidIn(tx, head.sessionKey, runFrom)
        : taken
    return {
      kind: 'step',
      messageId,
      answered,
      running,
      round: turn.committed + 1,
      ...(shown === null ? {} : { lastAgentId: shown.agentId }),
      said: asBegun,
      ...(beginsRun && turn.runRounds > 0 ? { left: { rounds: turn.runRounds, from: turn.runFrom } } : {}),
      ...(move === undefined || byWords ? {} : { move })
    }
  }).catch(error => {
    if (error instanceof Unchanged) return error.begun
    throw error
  })
}

/** Nothing was written, so the transaction is rolled back: a commit, even of a mere lock, would wait for the disk. */
class Unchanged {
  readonly begun: Begun

  constructor(begun: Begun) {
    this.begun = begun
  }
}

/** How a turn goes on without a step. */
const endings = { tools: 'tools', wait: 'waiting', park: 'parked', done: 'done' } as const

/** The newest step's entry; 0: there is none. */
async function newestStep(tx: Ctx, head: Head): Promise<number> {
  const [row] = await tx.sql<{ id: number }[]>`
    select id from context where session_key = ${head.sessionKey} and kind = 'step' order by id desc limit 1`
  return row?.id ?? 0
}

/** For how long it stays in the prompt, where anything is said of that. */
const durationOf = ({ duration }: { duration?: number | undefined } = {}) =>
  duration === undefined ? {} : { duration }

/** Who sent one of these messages. */
const senderOf = (sent: readonly { id: string; sender: Answerer | null }[], messageId: string | null) =>
  sent.find(({ id }) => id === messageId)?.sender ?? null

/** Those of the inbox's answers whose calls are of this kind. */
const answersTo = (answers: readonly WaitingItem[], calls: readonly CallRow[], kind: CallKind) =>
  answers.filter(item => calls.some(call => call.kind === kind && call.toolCallId === item.toolCallId))
