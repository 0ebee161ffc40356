import { storable } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { answerChecked, type CheckedAnswer, checkAnswer } from '#lib/engine/calls/answer.ts'
import { callsToShow } from '#lib/engine/calls/read-calls.ts'
import { knownReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { type Answer, type CallKind, isWaiting } from '#lib/protocol/call/call.ts'
import type { Snapshot } from '#lib/protocol/session/event.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'
import { type ClientTool, SendMessage, type SendReceipt } from '#lib/protocol/session/session.ts'
import { checkDeclarable } from './client-tools.ts'
import { createSession } from './create-session.ts'
import { rerunTurn } from './history/rerun-turn.ts'
import { retryTurn } from './retry-turn.ts'
import { redactedParts, sendMessage } from './send-message.ts'
import { snapshotOf } from './snapshot.ts'

/** What a client that posts its whole conversation may have brought (api.md "Stock AI SDK clients"). */
export type ChatInput = {
  sessionId: string
  /** Creates the session if a message is the first thing that is ever said to it. */
  agentId?: string
  /** Every call that the client holds as settled, and how. Only what is open here counts. */
  settled: { toolCallId: string; answer: Answer }[]
  /** The person's message, unless it was taken before: its key says so. */
  message?: { parts: UserPart[]; key?: string }
  /** Runs the last turn again. */
  again?: boolean
  clientTools?: ClientTool[]
  /** Whether this caller may answer calls. */
  mayAnswer: boolean
}

export type IngestedChat = {
  sessionId: string
  /** The calls that this very post settled. */
  answered: string[]
  /** Its message, when it was new. */
  messageId?: string
  /** The session right behind what was taken: what comes of it, comes after this cursor. */
  snapshot: Snapshot
}

/**
 * Takes what is new of a posted conversation, answers first, then the message, in one transaction: all of it or, when
 * any of it is refused, nothing. What the session knows already is passed over. The step that comes of it sees both.
 */
export async function ingestChat(ctx: Ctx, input: ChatInput): Promise<IngestedChat> {
  // Whether schemas fit, and can be used, is asked of another thread: nobody waits for it with a session locked.
  const judged = await judgeAll(ctx, input)
  if (input.message !== undefined) await checkDeclarable(ctx, input.clientTools ?? [])
  return inTransaction(ctx, async tx => {
    const sessionId = await sessionOf(tx, input)
    const head = await lockSession(tx, sessionId)
    const answered = await takeAnswers(tx, head, input, judged)
    const receipt = input.again ? await runAgain(tx, head) : await takeMessage(tx, head, input)
    const snapshot = await snapshotOf(tx, head.sessionKey)
    return {
      sessionId,
      answered,
      snapshot,
      ...(receipt === undefined ? {} : { messageId: receipt.messageId })
    }
  })
}

/** A token's holder has a session already, and makes no other. */
async function sessionOf(tx: Ctx, { sessionId, agentId, message }: ChatInput): Promise<string> {
  if (agentId === undefined || message === undefined || tx.actor.kind === 'subject') return sessionId
  return (await createSession(tx, { agentId, sessionId })).sessionId
}

/** The answers to calls that are open, judged before the transaction. */
async function judgeAll(
  ctx: Ctx,
  { sessionId, settled, mayAnswer, clientTools }: ChatInput
): Promise<Map<object, CheckedAnswer>> {
  if (settled.length === 0 || !mayAnswer) return new Map()
  const open = await ctx.sql<{ toolCallId: string }[]>`
    select tool_call_id from calls
    where state = 'open' and tool_call_id = any(${settled.map(one => one.toolCallId)}) and session_key = (
      select key from sessions where workspace_id = ${ctx.workspaceId} and id = ${sessionId} and deleted_at is null)`
  const isOpen = new Set(open.map(one => one.toolCallId))
  const declared = clientTools?.map(({ name }) => name)
  const judged = new Map<object, CheckedAnswer>()
  // Of several answers to one call the first is judged, and one after the other: a body has room for thousands.
  for (const one of settled)
    if (isOpen.delete(one.toolCallId))
      judged.set(one, await checkAnswer(ctx, { ...one, sessionId, clientTools: declared }))
  return judged
}

async function takeAnswers(
  tx: Ctx,
  head: LockedSession,
  { settled, mayAnswer, clientTools }: ChatInput,
  judged: ReadonlyMap<object, CheckedAnswer>
): Promise<string[]> {
  if (settled.length === 0) return []
  const open = new Map(
    (await callsToShow(tx, head.sessionKey, [])).filter(isWaiting).map(call => [call.toolCallId, call.kind])
  )
  const declared = clientTools?.map(({ name }) => name)
  const answered: string[] = []
  for (const one of settled) {
    const { toolCallId, answer } = one
    const kind = open.get(toolCallId)
    if (kind === undefined || isApproval(kind) !== 'approved' in answer) continue
    if (!mayAnswer)
      throw new Refusal(
        'FORBIDDEN',
        'This credential cannot answer calls, so nothing was stored. Use a credential that can answer calls.'
      )
    const given = { sessionId: head.sessionId, toolCallId, answer, clientTools: declared }
    await answerChecked(tx, judged.get(one) ?? (await checkAnswer(tx, given)))
    answered.push(toolCallId)
    open.delete(toolCallId)
  }
  return answered
}

const isApproval = (kind: CallKind) => kind === 'approval' || kind === 'limit'

/** A message goes with the answers before it: the turn that they began takes it in at its first step. */
async function takeMessage(
  tx: Ctx,
  head: LockedSession,
  { message, clientTools }: ChatInput
): Promise<SendReceipt | undefined> {
  if (message === undefined) return undefined
  const { key } = message
  const parts = redactedParts(tx, storable(message.parts) as UserPart[])
  const known = await knownReceipt(tx, head, 'send', key, { parts, whenBusy: 'steer' })
  if (known !== undefined) return undefined
  if (head.turnId !== null) throw busy()
  return sendMessage(
    tx,
    SendMessage.parse({ sessionId: head.sessionId, parts, key, whenBusy: 'steer', clientTools })
  )
}

/** A turn that failed goes on where it failed; one that ended well is run again, as on our own page. */
async function runAgain(tx: Ctx, head: LockedSession): Promise<SendReceipt | undefined> {
  if (head.status === 'failed') {
    await retryTurn(tx, { sessionId: head.sessionId })
    return undefined
  }
  const [last] = await tx.sql<{ id: string }[]>`
    select id from messages where session_key = ${head.sessionKey} and role = 'user' order by pos desc limit 1`
  if (last === undefined)
    throw new Refusal('CONFLICT', 'There is nothing to run again: the session has no user message yet.')
  return rerunTurn(tx, { sessionId: head.sessionId, messageId: last.id, calls: false })
}

const busy = () =>
  new Refusal(
    'SESSION_BUSY',
    'The agent is working. Wait until it is done or stop it, then send this request again.'
  )
