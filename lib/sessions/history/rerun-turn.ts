import { inTransaction } from '#db/transaction.ts'
import { keepReceipt, knownReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { Message, UserPart } from '#lib/protocol/session/message.ts'
import { SendMessage, type SendReceipt } from '#lib/protocol/session/session.ts'
import type { RerunTurn } from '#lib/protocol/session/turn-action.ts'
import { forgetStrayFiles } from '#lib/sessions/files/forget-files.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { removeMessages } from './remove-messages.ts'
import { turnAt } from './turn-at.ts'

/**
 * Runs a turn again from its person's message, with the same words or with others: that message and everything behind it
 * go out of the conversation, and it is sent anew, by whoever asks, in the same transaction. Whose words stay in it has asked as
 * well, when an account is used. Of two who do it at once the
 * second finds the message gone: `CONFLICT`. The same key again answers the same receipt.
 */
export async function rerunTurn(ctx: Ctx, input: RerunTurn): Promise<SendReceipt> {
  const { key, sessionId, clientTools, ...body } = input
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, sessionId)
    const known = await knownReceipt<SendReceipt>(tx, head, 'rerun', key, body)
    if (known !== undefined) return known
    const { parts, also } = await takeBack(tx, head, input)
    // Before what a failed turn left in the queue: the conversation goes on from here.
    const send = SendMessage.parse({ sessionId, parts, clientTools, whenBusy: 'interrupt' })
    const receipt = await sendMessage(tx, send, also)
    await forgetStrayFiles(tx, head)
    await keepReceipt(tx, head, 'rerun', key, body, receipt)
    return receipt
  })
}

type Taken = { parts: UserPart[]; also: Identity[] }
type Writers = Identity & { also?: Identity[] }

/** Takes the turn and what is behind it out, and gives what is to be said instead, and who else wrote any of that. */
async function takeBack(tx: Ctx, head: LockedSession, input: RerunTurn): Promise<Taken> {
  const { from, asked } = await turnAt(tx, head, input.messageId)
  if (asked === undefined)
    throw new Refusal('CONFLICT', 'There is nothing to run again: no user message comes before this one.')
  const edited = input.parts !== undefined || input.text !== undefined
  const [row] = await tx.sql<{ sender: Writers | null }[]>`
    select sender from messages where session_key = ${head.sessionKey} and id = ${asked.id}`
  await removeMessages(tx, head, { from, to: null, why: edited ? 'edit' : 'rerun', calls: input.calls })
  const parts = partsOf(asked, input)
  return { parts, also: keepsAny(asked, parts) ? othersOf(tx, row?.sender ?? null) : [] }
}

/** Whether a text or a file of the old message is in the new one. */
const keepsAny = ({ parts: old }: Message, parts: readonly UserPart[]): boolean =>
  parts.some(part => old.some(one => contentOf(one) === contentOf(part)))

const contentOf = (part: { type: string; text?: string; url?: string }) =>
  `${part.type} ${part.type === 'text' ? part.text : part.url}`

function othersOf(tx: Ctx, sender: Writers | null): Identity[] {
  if (sender === null) return []
  const own = identityOf(tx.actor).id
  return [sender, ...(sender.also ?? [])].flatMap(({ id, name }) => (id === own ? [] : [{ id, name }]))
}

function partsOf(asked: Message, { parts, text }: RerunTurn): UserPart[] {
  if (parts !== undefined) return parts
  const said = asked.parts.filter(part => part.type === 'text' || part.type === 'file') as UserPart[]
  return text === undefined ? said : [{ type: 'text', text }, ...said.filter(({ type }) => type === 'file')]
}
