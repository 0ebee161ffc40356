import { ApiError } from '@waystation/base/api-error.ts'
import type { Answer, CallKind } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import type { Snapshot } from '@waystation/protocol/session/event.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import { type ClientTool, SendMessage, type SendReceipt } from '@waystation/protocol/session/session.ts'
import { storable } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { answerChecked, type CheckedAnswer, checkAnswer } from '#lib/engine/calls/answer.ts'
import { findReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { callsToShow } from '#lib/sessions/calls-to-show.ts'
import { checkDeclarable } from './client-tools.ts'
import { createSession } from './create-session.ts'
import { rerunTurn } from './history/rerun-turn.ts'
import { retryTurn } from './retry-turn.ts'
import { redactedParts, sendMessage } from './send-message.ts'
import { snapshotOf } from './snapshot.ts'

/** The content that a client with its own copy of the conversation can post (api.md, "Stock AI SDK clients"). */
export type ChatInput = {
  sessionId: string
  /** Creates the session if this is its first message. */
  agentId?: string
  /** Each call that the client considers settled, with its answer. Only calls that are open in the session are used. */
  settled: { toolCallId: string; answer: Answer }[]
  /** The user's message. Its key tells whether it was already stored. */
  message?: { parts: UserPart[]; key?: string }
  /** Runs the last turn again. */
  again?: boolean
  clientTools?: ClientTool[]
  /** True if the caller can answer calls. */
  mayAnswer: boolean
}

export type IngestedChat = {
  sessionId: string
  /** IDs of the calls that this post settled. */
  answered: string[]
  /** ID of the posted message, if it was new. */
  messageId?: string
  /** The session right after the post was stored. Later events follow its cursor. */
  snapshot: Snapshot
}

/**
 * Stores the new content of a posted conversation in one transaction: first answers, then the message. If one part is
 * refused, nothing is stored. Known content is skipped. The next step sees both.
 */
export async function ingestChat(ctx: Ctx, input: ChatInput): Promise<IngestedChat> {
  // Another thread validates the schemas, which must not happen while the session is locked.
  const checked = await checkAnswers(ctx, input)
  if (input.message !== undefined) await checkDeclarable(ctx, input.clientTools ?? [])
  return inTransaction(ctx, async tx => {
    const sessionId = await sessionOf(tx, input)
    const session = await lockSession(tx, sessionId)
    const answered = await storeAnswers(tx, session, input, checked)
    const receipt = input.again ? await rerunLast(tx, session) : await storeMessage(tx, session, input)
    const snapshot = await snapshotOf(tx, session.sessionKey)
    return {
      sessionId,
      answered,
      snapshot,
      ...(receipt === undefined ? {} : { messageId: receipt.messageId })
    }
  })
}

/** The holder of a session token has a session and cannot create another. */
async function sessionOf(tx: Ctx, { sessionId, agentId, message }: ChatInput): Promise<string> {
  if (agentId === undefined || message === undefined || tx.actor.kind === 'subject') return sessionId
  return (await createSession(tx, { agentId, sessionId })).sessionId
}

/** Validates the answers to open calls, before the transaction. */
async function checkAnswers(
  ctx: Ctx,
  { sessionId, settled, mayAnswer, clientTools }: ChatInput
): Promise<Map<object, CheckedAnswer>> {
  if (settled.length === 0 || !mayAnswer) return new Map()
  const open = await ctx.sql<{ toolCallId: string }[]>`
    select tool_call_id from calls
    where state = 'open' and tool_call_id = any(${settled.map(entry => entry.toolCallId)}) and session_key = (
      select key from sessions where workspace_id = ${ctx.workspaceId} and id = ${sessionId} and deleted_at is null)`
  const isOpen = new Set(open.map(entry => entry.toolCallId))
  const declaredNames = clientTools?.map(({ name }) => name)
  const checked = new Map<object, CheckedAnswer>()
  // If a call has several answers, only the first is checked. They are checked one at a time, because a body can
  // contain thousands.
  for (const entry of settled)
    if (isOpen.delete(entry.toolCallId))
      checked.set(entry, await checkAnswer(ctx, { ...entry, sessionId, clientTools: declaredNames }))
  return checked
}

async function storeAnswers(
  tx: Ctx,
  session: LockedSession,
  { settled, mayAnswer, clientTools }: ChatInput,
  checked: ReadonlyMap<object, CheckedAnswer>
): Promise<string[]> {
  if (settled.length === 0) return []
  const open = new Map(
    (await callsToShow(tx, session.sessionKey, []))
      .filter(isWaiting)
      .map(call => [call.toolCallId, call.kind])
  )
  const declaredNames = clientTools?.map(({ name }) => name)
  const answered: string[] = []
  for (const entry of settled) {
    const { toolCallId, answer } = entry
    const kind = open.get(toolCallId)
    if (kind === undefined || isApproval(kind) !== 'approved' in answer) continue
    if (!mayAnswer)
      throw new ApiError(
        'FORBIDDEN',
        'This credential cannot answer calls, so nothing was stored. Use a credential that can answer calls.'
      )
    const input = { sessionId: session.sessionId, toolCallId, answer, clientTools: declaredNames }
    await answerChecked(tx, checked.get(entry) ?? (await checkAnswer(tx, input)))
    answered.push(toolCallId)
    open.delete(toolCallId)
  }
  return answered
}

const isApproval = (kind: CallKind) => kind === 'approval' || kind === 'limit'

/** A message is sent after the answers, so the first step of the turn that they started includes it. */
async function storeMessage(
  tx: Ctx,
  session: LockedSession,
  { message, clientTools }: ChatInput
): Promise<SendReceipt | undefined> {
  if (message === undefined) return undefined
  const { key } = message
  const parts = redactedParts(tx, storable(message.parts) as UserPart[])
  const receipt = await findReceipt(tx, session, 'send', key, { parts, whenBusy: 'steer' })
  if (receipt !== undefined) return undefined
  if (session.turnId !== null) throw busy()
  return sendMessage(
    tx,
    SendMessage.parse({ sessionId: session.sessionId, parts, key, whenBusy: 'steer', clientTools })
  )
}

/** A failed turn is retried. A successful one is run again, as in our own UI. */
async function rerunLast(tx: Ctx, session: LockedSession): Promise<SendReceipt | undefined> {
  if (session.status === 'failed') {
    await retryTurn(tx, { sessionId: session.sessionId })
    return undefined
  }
  const [last] = await tx.sql<{ id: string }[]>`
    select id from messages where session_key = ${session.sessionKey} and role = 'user' order by pos desc limit 1`
  if (last === undefined)
    throw new ApiError('CONFLICT', 'There is nothing to run again: the session has no user message yet.')
  return rerunTurn(tx, { sessionId: session.sessionId, messageId: last.id, calls: false })
}

const busy = () =>
  new ApiError(
    'SESSION_BUSY',
    'The agent is working. Wait until it is done or stop it, then send this request again.'
  )
