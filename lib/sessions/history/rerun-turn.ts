import { ApiError } from '@waystation/base/api-error.ts'
import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Message, UserPart } from '@waystation/protocol/session/message.ts'
import { SendMessage, type SendReceipt } from '@waystation/protocol/session/session.ts'
import type { RerunTurn } from '@waystation/protocol/session/turn-action.ts'
import { inTransaction } from '#db/transaction.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { deleteUnreferencedFiles } from '#lib/sessions/files/forget-files.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { findTurn } from './find-turn.ts'
import { removeMessages } from './remove-messages.ts'

/**
 * Runs a turn again from its user message, unchanged or edited. It removes that message and everything after it, and
 * sends the message again as the caller, in the same transaction. If it still contains another author's text or file,
 * that author is also a sender, which matters when an account is used. If two callers do this at once, the second gets
 * `CONFLICT`, because the message is gone. The same key returns the same receipt.
 */
export async function rerunTurn(ctx: Ctx, input: RerunTurn): Promise<SendReceipt> {
  const { key, sessionId, clientTools, ...body } = input
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const storedReceipt = await findReceipt<SendReceipt>(tx, session, 'rerun', key, body)
    if (storedReceipt !== undefined) return storedReceipt
    const { parts, also } = await replaceTurn(tx, session, input)
    // `interrupt` puts the message ahead of the queue that a failed turn left, because the conversation continues from
    // here.
    const send = SendMessage.parse({ sessionId, parts, clientTools, whenBusy: 'interrupt' })
    const receipt = await sendMessage(tx, send, also)
    await deleteUnreferencedFiles(tx, session)
    await storeReceipt(tx, session, 'rerun', key, body, receipt)
    return receipt
  })
}

type Replacement = { parts: UserPart[]; also: Identity[] }
type Writers = Identity & { also?: Identity[] }

/** Removes the turn and everything after it. Returns the message to send instead, and its other authors. */
async function replaceTurn(tx: Ctx, session: LockedSession, input: RerunTurn): Promise<Replacement> {
  const { from, message } = await findTurn(tx, session, input.messageId)
  if (message === undefined)
    throw new ApiError('CONFLICT', 'There is nothing to run again: no user message comes before this one.')
  const edited = input.parts !== undefined || input.text !== undefined
  const [row] = await tx.sql<{ sender: Writers | null }[]>`
    select sender from messages where session_key = ${session.sessionKey} and id = ${message.id}`
  await removeMessages(tx, session, { from, to: null, why: edited ? 'edit' : 'rerun', calls: input.calls })
  const parts = partsOf(message, input)
  return { parts, also: sharesContent(message, parts) ? otherMessagesOf(tx, row?.sender ?? null) : [] }
}

/** Returns whether the new message contains a text or file of the old one. */
const sharesContent = ({ parts: old }: Message, parts: readonly UserPart[]): boolean =>
  parts.some(part => old.some(oldPart => contentOf(oldPart) === contentOf(part)))

const contentOf = (part: { type: string; text?: string; url?: string }) =>
  `${part.type} ${part.type === 'text' ? part.text : part.url}`

function otherMessagesOf(tx: Ctx, sender: Writers | null): Identity[] {
  if (sender === null) return []
  const own = identityOf(tx.actor).id
  return [sender, ...(sender.also ?? [])].flatMap(({ id, name }) => (id === own ? [] : [{ id, name }]))
}

function partsOf(message: Message, { parts, text }: RerunTurn): UserPart[] {
  if (parts !== undefined) return parts
  const old = message.parts.filter(part => part.type === 'text' || part.type === 'file') as UserPart[]
  return text === undefined ? old : [{ type: 'text', text }, ...old.filter(({ type }) => type === 'file')]
}
