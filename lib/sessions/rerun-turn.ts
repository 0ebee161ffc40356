import { inTransaction } from '#db/transaction.ts'
import { type Head, lockHead } from '#lib/events/head.ts'
import { keepReceipt, knownReceipt } from '#lib/inbox/receipts.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Message, UserPart } from '#lib/protocol/message.ts'
import { SendMessage, type SendReceipt } from '#lib/protocol/session.ts'
import type { RerunTurn } from '#lib/protocol/turn-action.ts'
import { forgetStrayFiles } from './forget-files.ts'
import { sendMessage } from './send-message.ts'
import { takeOut } from './take-out.ts'
import { turnAt } from './turn-at.ts'

/**
 * Runs a turn again from its person's message, with the same words or with others: that message and everything behind it
 * go out of the conversation, and it is sent anew, by whoever asks, in the same transaction. Of two who do it at once the
 * second finds the message gone: `CONFLICT`. The same key again answers the same receipt.
 */
export async function rerunTurn(ctx: Ctx, input: RerunTurn): Promise<SendReceipt> {
  const { key, sessionId, clientTools, ...body } = input
  return inTransaction(ctx, async tx => {
    const head = await lockHead(tx, sessionId)
    const known = await knownReceipt<SendReceipt>(tx, head, 'rerun', key, body)
    if (known !== undefined) return known
    const parts = await takeBack(tx, head, input)
    // Before what a failed turn left in the queue: the conversation goes on from here.
    const send = SendMessage.parse({ sessionId, parts, clientTools, whenBusy: 'interrupt' })
    const receipt = await sendMessage(tx, send)
    await forgetStrayFiles(tx, head)
    await keepReceipt(tx, head, 'rerun', key, body, receipt)
    return receipt
  })
}

/** Takes the turn and what is behind it out, and gives what is to be said instead. */
async function takeBack(tx: Ctx, head: Head, input: RerunTurn): Promise<UserPart[]> {
  const { from, asked } = await turnAt(tx, head, input.messageId)
  if (asked === undefined)
    throw new Refusal('CONFLICT', 'There is nothing to run again: nobody had said anything before this.')
  const edited = input.parts !== undefined || input.text !== undefined
  await takeOut(tx, head, { from, to: null, why: edited ? 'edit' : 'rerun', calls: input.calls })
  return partsOf(asked, input)
}

function partsOf(asked: Message, { parts, text }: RerunTurn): UserPart[] {
  if (parts !== undefined) return parts
  const said = asked.parts.filter(part => part.type === 'text' || part.type === 'file') as UserPart[]
  return text === undefined ? said : [{ type: 'text', text }, ...said.filter(({ type }) => type === 'file')]
}
