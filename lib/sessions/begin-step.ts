import { iso } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { type CallRow, callColumns } from '#lib/calls/call-row.ts'
import { openCalls } from '#lib/calls/open.ts'
import { callsOfMessage } from '#lib/calls/read.ts'
import { append } from '#lib/events/append.ts'
import { type Head, type Lease, lockOwned } from '#lib/events/head.ts'
import { consume, type Drained, drain, type WaitingItem } from '#lib/inbox/drain.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { addMessage, placeMessage } from '#lib/messages/add-message.ts'
import { addEntry } from '#lib/messages/context.ts'
import { liveFold, refold } from '#lib/messages/refold.ts'
import { moveWindow } from '#lib/messages/window.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import type { Limits } from '#lib/protocol/agent.ts'
import type { LoggedEvent } from '#lib/protocol/event.ts'
import { type Message, textOf } from '#lib/protocol/message.ts'
import type { Begin } from '#lib/turn/turn.ts'

/** What `beginStep` found, without the window, which the runner reads behind the transaction. */
export type Begun = Exclude<Begin, { kind: 'step' }> | { kind: 'step'; messageId: string }

type TurnRow = { begun: number; committed: number; beganAt: string | null; messageId: string | null; budgetSteps: number; budgetUsd: number; retryAt: string | null }
type Newest = { id: number; kind: string; messageId: string | null } | undefined

/**
 * Begins a step if anything starts one (design 4): drains the inbox into the context, defers what is still open,
 * places the messages, drops what a cut-off step left, and shows the step's start, all in one fenced transaction. After
 * it a crash loses nothing: the step is known as begun, and is run again from the same context.
 */
export async function beginStep(ctx: Ctx, lease: Lease, limits: Limits): Promise<Begun> {
  return inTransaction(ctx, async tx => {
    const head = await lockOwned(tx, lease)
    if (head.turnId === null || head.cancelRequested === head.turnId) return { kind: 'aborted' }
    if (await toolsToRun(tx, head)) return { kind: 'tools' }

    const turn = await turnOf(tx, head.turnId)
    const newest = await newestEntry(tx, head)
    const drained = await drain(tx, head, { firstStep: turn.messageId === null })
    const answered = await answeredCalls(tx, head, drained.answers)
    const late = answered.filter(call => call.deferredAt !== null)
    const seen = await stepCalls(tx, newest)
    const resultsAreIn = seen.length > 0 && seen.every(call => call.result !== null)
    const cutOff = turn.begun > turn.committed
    const goOn = resultsAreIn && !(await limitStands(tx, head))

    const starts = drained.messages.length > 0 || late.length > 0 || drained.retries.length > 0 || goOn || cutOff
    if (!starts && turn.retryAt !== null) return { kind: 'waiting' }
    if (!starts) return { kind: seen.some(call => call.result === null) ? 'parked' : 'done' }

    const fresh = drained.messages.length > 0 || answered.some(call => call.kind === 'limit' && call.state === 'approved')
    const budget = fresh ? { steps: 0, usd: 0 } : { steps: turn.budgetSteps, usd: turn.budgetUsd }
    const limit = overLimit(budget, limits)
    if (limit !== undefined && !cutOff) {
      await askToGoOn(tx, head, turn, newest, limit)
      return { kind: 'parked' }
    }

    await tx.sql`
      update calls set deferred_at = clock_timestamp()
      where session_key = ${head.sessionKey} and result is null and deferred_at is null and context_id is not null`
    if (head.status !== 'running') await append(tx, head, [{ type: 'status', status: 'running', turnId: head.turnId }])
    const newMessages = await place(tx, head, drained.messages)
    for (const message of newMessages) {
      await addEntry(tx, head, {
        kind: 'user',
        turnId: head.turnId,
        messageId: message.id,
        payload: { parts: message.parts },
        tokens: countTokens(textOf(message))
      })
    }
    for (const call of late) {
      await addEntry(tx, head, {
        kind: 'answer',
        turnId: head.turnId,
        toolCallId: call.toolCallId,
        payload: { toolName: call.toolName, state: call.state, result: call.result },
        tokens: countTokens(JSON.stringify(call.result))
      })
    }
    for (const call of answered.filter(call => call.kind === 'limit' && call.state !== 'approved')) {
      const text = 'A limit was reached here and the person chose not to go on.'
      await addEntry(tx, head, { kind: 'note', turnId: head.turnId, toolCallId: call.toolCallId, payload: { text }, tokens: 16 })
    }
    await consume(tx, [...drained.messages, ...drained.answers, ...drained.retries])

    const before = turn.messageId ?? (await messageToRetry(tx, drained.retries)) ?? (newest?.kind === 'step' ? newest.messageId : null)
    const continues = newMessages.length === 0 && late.length === 0 ? (before ?? undefined) : undefined
    const messageId = await startMessage(tx, head, turn, continues, cutOff)
    await tx.sql`
      update turns set begun = committed + 1, began_at = clock_timestamp(), message_id = ${messageId},
        budget_steps = ${budget.steps + 1}, budget_usd = ${budget.usd}, retry_at = null
      where id = ${head.turnId}`
    await tx.sql`update sessions set status = 'running', error = null, retry_at = null where key = ${head.sessionKey} and status <> 'running'`
    await moveWindow(tx, head, limits.contextTokens)
    return { kind: 'step', messageId }
  })
}

/** The message a failed turn was writing: "Retry now" goes on in it. */
async function messageToRetry(tx: Ctx, retries: readonly WaitingItem[]): Promise<string | null> {
  const turnId = retries.at(-1)?.payload.turnId
  if (turnId === undefined) return null
  const [row] = await tx.sql<{ messageId: string | null }[]>`select message_id as "messageId" from turns where id = ${turnId}`
  return row?.messageId ?? null
}

const toolsToRun = async (tx: Ctx, head: Head): Promise<boolean> => {
  const [row] = await tx.sql<{ some: boolean }[]>`
    select exists (select from calls where session_key = ${head.sessionKey} and result is null and claimed_at is null
      and (state = 'approved' or (kind = 'server' and state = 'open'))) as some`
  return row?.some ?? false
}

async function turnOf(tx: Ctx, turnId: string): Promise<TurnRow> {
  const [row] = await tx.sql<TurnRow[]>`
    select begun, committed, began_at as "beganAt", message_id as "messageId", budget_steps as "budgetSteps",
      budget_usd as "budgetUsd", retry_at as "retryAt" from turns where id = ${turnId}`
  if (row === undefined) throw new Error(`Turn ${turnId} is on a head but not stored.`)
  return row
}

async function newestEntry(tx: Ctx, head: Head): Promise<Newest> {
  const [row] = await tx.sql<NonNullable<Newest>[]>`
    select id, kind, message_id as "messageId" from context where session_key = ${head.sessionKey} order by id desc limit 1`
  return row
}

const stepCalls = async (tx: Ctx, newest: Newest): Promise<CallRow[]> =>
  newest?.kind === 'step' ? tx.sql<CallRow[]>`select ${callColumns(tx.sql)} from calls where context_id = ${newest.id}` : []

const answeredCalls = async (tx: Ctx, head: Head, answers: readonly WaitingItem[]): Promise<CallRow[]> =>
  answers.length === 0
    ? []
    : tx.sql<CallRow[]>`
        select ${callColumns(tx.sql)} from calls where session_key = ${head.sessionKey}
          and tool_call_id = any(${answers.map(item => item.toolCallId ?? '')}) order by settled_at`

/** A "continue?" that is open, or that was refused and not seen yet: results alone do not start a step then. */
async function limitStands(tx: Ctx, head: Head): Promise<boolean> {
  const [row] = await tx.sql<{ stands: boolean }[]>`
    select exists (
      select from calls c where c.session_key = ${head.sessionKey} and c.kind = 'limit' and (c.state = 'open' or (
        c.state <> 'approved' and exists (select from inbox i where i.session_key = c.session_key
          and i.tool_call_id = c.tool_call_id and i.consumed_at is null)))) as stands`
  return row?.stands ?? false
}

function overLimit(spent: { steps: number; usd: number }, limits: Limits): string | undefined {
  if (spent.steps >= limits.stepsPerTurn) return `It has taken ${spent.steps} steps, which is this agent's limit for one turn.`
  if (spent.usd >= limits.usdPerTurn && limits.usdPerTurn > 0)
    return `It has spent $${spent.usd.toFixed(2)}, which reaches this agent's limit of $${limits.usdPerTurn.toFixed(2)} for one turn.`
  return undefined
}

/** Reaching a cap opens a call of our own, "continue?", which the model never sees. */
async function askToGoOn(tx: Ctx, head: Head, turn: TurnRow, newest: Newest, reason: string): Promise<void> {
  const [open] = await tx.sql`
    select from calls where session_key = ${head.sessionKey} and kind = 'limit' and state = 'open' limit 1`
  if (open !== undefined) return
  const messageId = turn.messageId ?? newest?.messageId
  if (messageId === null || messageId === undefined || head.turnId === null) return
  const opening = {
    toolCallId: newId('call'),
    toolName: 'continue',
    kind: 'limit' as const,
    where: 'approver' as const,
    title: 'Continue?',
    input: { reason },
    render: { kind: 'limit' }
  }
  const chunk = { type: 'tool-input-available' as const, toolCallId: opening.toolCallId, toolName: 'continue', input: opening.input }
  await append(tx, head, [{ type: 'chunk', messageId, turnId: head.turnId, chunk }])
  await openCalls(tx, head, { messageId, turnId: head.turnId, contextId: null }, [opening])
}

/** Shows the messages whose time has come: a queued one moves to its place, and is queued no more. */
async function place(tx: Ctx, head: Head, items: Drained['messages']): Promise<Message[]> {
  const placed: Message[] = []
  for (const item of items) {
    const [row] = await tx.sql<{ message: Message }[]>`
      select message from messages where session_key = ${head.sessionKey} and id = ${item.messageId}`
    if (row === undefined) continue
    const { queued, ...metadata } = row.message.metadata ?? { createdAt: new Date().toISOString() }
    const message = { ...row.message, metadata }
    if (queued !== undefined) {
      const seq = await append(tx, head, [{ type: 'message', message, placed: true }])
      await placeMessage(tx, head, message, seq)
    }
    placed.push(message)
  }
  return placed
}

/**
 * The assistant message this step writes to: the one it continues, or a new one. What a cut-off step had written is
 * dropped (`reset-step`), shown as interrupted, and is not in the prompt, since it was never committed.
 */
async function startMessage(tx: Ctx, head: Head, turn: TurnRow, continues: string | undefined, cutOff: boolean): Promise<string> {
  const turnId = head.turnId as string
  const chunks: LoggedEvent[] = []
  const write = (chunk: Extract<LoggedEvent, { type: 'chunk' }>['chunk'], messageId: string) =>
    chunks.push({ type: 'chunk', messageId, turnId, chunk })

  if (cutOff && turn.messageId !== null) {
    const live = await liveFold(tx, head.sessionKey, turn.messageId, [])
    const from = live?.message.parts.findLastIndex(part => part.type === 'step-start') ?? -1
    const partialText = textOf({ parts: live?.message.parts.slice(from + 1) ?? [] })
    const seconds = turn.beganAt === null ? 0 : Math.round((Date.now() - Date.parse(iso(turn.beganAt))) / 1000)
    write({ type: 'reset-step' }, turn.messageId)
    write({ type: 'data-notice', id: newId('notice'), data: { kind: 'restarted', partialText, seconds } }, turn.messageId)
    write({ type: 'finish-step' }, turn.messageId)
  }
  const isNew = continues === undefined
  const messageId = continues ?? newId('msg')
  if (isNew && turn.messageId !== null) write({ type: 'finish' }, turn.messageId)
  if (isNew) write({ type: 'start', messageId }, messageId)
  write({ type: 'start-step' }, messageId)
  const seq = await append(tx, head, chunks)
  if (isNew && turn.messageId !== null) {
    await refold(tx, head, turn.messageId, await callsOfMessage(tx, head.sessionKey, turn.messageId), { done: true })
  }
  if (isNew) {
    const [now] = await tx.sql<{ at: string }[]>`select clock_timestamp() as at`
    const metadata = { createdAt: iso(now?.at ?? new Date()), turnId }
    await addMessage(tx, head, { id: messageId, role: 'assistant', metadata, parts: [{ type: 'step-start' }] }, seq)
  }
  return messageId
}
