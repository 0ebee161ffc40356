import { iso, storable } from '#db/client.ts'
import { inTransaction, together } from '#db/transaction.ts'
import { agentOfSession } from '#lib/agents/of-session.ts'
import { declareTools } from '#lib/calls/client-tools.ts'
import { forwardMessage } from '#lib/deliveries/forward.ts'
import { append } from '#lib/events/append.ts'
import { type Head, lockHead } from '#lib/events/head.ts'
import { messagesWait } from '#lib/inbox/messages-wait.ts'
import { put } from '#lib/inbox/put.ts'
import { keepReceipt, knownReceipt } from '#lib/inbox/receipts.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { addMessage } from '#lib/messages/add-message.ts'
import { type ActiveItem, type ActiveItemName, maxActiveItem } from '#lib/protocol/active-item.ts'
import { type Message, textOf, type UserPart } from '#lib/protocol/message.ts'
import type { SendMessage, SendReceipt } from '#lib/protocol/session.ts'
import { closeReplies } from './append-reply.ts'
import { stopTurn } from './stop-turn.ts'

/** The most a message may be, in bytes of JSON (api.md). */
const maxBytes = 256 * 1024

/**
 * Takes a person's message (api.md): stored, shown and owed to a worker in one transaction. While the session is
 * busy it is refused, queued, steered in or interrupts, as the sender says; open calls stay open in every case. The
 * same key answers the same receipt, before busyness is looked at. What a failed turn left waiting comes first: behind
 * it a message queues, though nothing runs.
 */
export async function sendMessage(ctx: Ctx, input: SendMessage): Promise<SendReceipt> {
  const parts = redactedParts(ctx, storable(partsOf(input)) as UserPart[])
  const active = input.active && redacted(ctx, 'active-item', activeOf(input.active))
  const body = { parts, whenBusy: input.whenBusy, ...(active === undefined ? {} : { active }) }
  return inTransaction(ctx, async tx => {
    const head = await lockHead(tx, input.sessionId)
    const [known, behind] = await together([
      knownReceipt<SendReceipt>(tx, head, 'send', input.key, body),
      head.turnId === null && !head.external ? messagesWait(tx, head) : false
    ])
    if (known !== undefined) return known

    if (head.external && parts.some(part => part.type === 'file'))
      throw invalid('Another system is sent text only. Leave the file out, or say where it is.')
    if (!head.external && active !== undefined)
      throw invalid(
        'An active item is sent along to external agents only. Say it in the message, or attach it.'
      )
    // Another system is never busy, and no turn of ours runs for it.
    const busy = head.turnId !== null
    if (busy && input.whenBusy === 'reject')
      throw new Refusal(
        'SESSION_BUSY',
        'The agent is working. Send it with whenBusy "queue" (afterwards), "steer" (at its next step) or "interrupt" (instead).'
      )
    const mode = modeOf(input.whenBusy, { busy, behind })
    if (input.clientTools !== undefined) await declareTools(tx, head, input.clientTools)
    const itemId = newId('item')
    const message = messageOf(tx, head, { parts, mode, itemId, active })
    const title = head.title === '' ? titleOf(parts) : ''
    const status = mode === 'start' ? 'started' : mode === 'steer' ? 'steering' : 'queued'
    const receipt: SendReceipt = { itemId, messageId: message.id, status }
    // What is being written ends here: a message stands where it ended.
    if (head.external) await closeReplies(tx, head)
    // None of these reads what another one writes: they are sent together, and waited for once.
    await together([
      append(tx, head, [
        ...(title === '' ? [] : [{ type: 'session' as const, title }]),
        { type: 'message', message }
      ]),
      addMessage(tx, head, message, head.seq),
      tx.sql`
        update sessions set active_at = clock_timestamp(), snippet = ${textOf({ parts }).trim().slice(0, 160)},
          title = case when title = '' then ${title} else title end
        where key = ${head.sessionKey}`,
      keepReceipt(tx, head, 'send', input.key, body, receipt),
      head.external
        ? undefined
        : put(tx, head, { kind: 'message', itemId, mode, messageId: message.id, parts })
    ])
    if (head.external) await forward(tx, head, message, active)
    if (busy && mode === 'interrupt') await stopTurn(tx, head, 'interrupted')
    return receipt
  })
}

/** To the external agent as this session has it now. */
async function forward(tx: Ctx, head: Head, message: Message, active?: ActiveItem): Promise<void> {
  const agent = await agentOfSession(tx, head)
  if (agent.type === 'external') await forwardMessage(tx, head, message, agent.external, active)
}

function partsOf(input: SendMessage): UserPart[] {
  const parts = input.parts ?? [{ type: 'text' as const, text: input.text ?? '' }]
  if (!parts.some(part => part.type === 'file' || part.text.trim() !== ''))
    throw new Refusal('EMPTY_MESSAGE', 'The message is empty. Write something, or attach a file.')
  if (Buffer.byteLength(JSON.stringify(parts)) > maxBytes)
    throw new Refusal(
      'TOO_LARGE',
      `A message may be at most ${maxBytes / 1024} KiB. Send a shorter one, or several.`
    )
  return parts
}

/** What people wrote, as it may be stored; of a file its name. */
export const redactedParts = (ctx: Ctx, parts: readonly UserPart[]): UserPart[] =>
  parts.map(part =>
    part.type === 'text'
      ? { ...part, text: redacted(ctx, 'message', part.text) }
      : { ...part, ...(part.filename && { filename: redacted(ctx, 'message', part.filename) }) }
  )

/** Clean, and within its limit. */
function activeOf(item: ActiveItem): ActiveItem {
  const active = storable(item) as ActiveItem
  if (Buffer.byteLength(JSON.stringify(active.content ?? null)) > maxActiveItem)
    throw new Refusal(
      'TOO_LARGE',
      `What is sent along may be at most ${maxActiveItem / 1024} KiB. Send the message without it, or a smaller one.`
    )
  return active
}

type Mode = 'start' | 'queue' | 'steer' | 'interrupt'

/** How it comes in: behind what a failed turn left waiting, as it would come in while the agent works. */
function modeOf(
  whenBusy: SendMessage['whenBusy'],
  { busy, behind }: { busy: boolean; behind: boolean }
): Mode {
  if (!busy && !behind) return 'start'
  return whenBusy === 'reject' ? 'queue' : whenBusy
}

function messageOf(
  ctx: Ctx,
  head: Head,
  {
    parts,
    mode,
    itemId,
    active
  }: { parts: UserPart[]; mode: Mode; itemId: string; active?: ActiveItem | undefined }
): Message {
  const { content: _, ...named } = active ?? {}
  const metadata = {
    createdAt: iso(head.now),
    sentBy: ctx.actor.name,
    itemId,
    ...(mode === 'start' ? {} : { queued: mode }),
    ...(active === undefined ? {} : { active: named as ActiveItemName })
  }
  return { id: newId('msg'), role: 'user', metadata, parts: parts as Message['parts'] }
}

/** A session without a title takes the first words of its first message. */
const titleOf = (parts: UserPart[]) => textOf({ parts }).trim().split('\n')[0]?.slice(0, 80) ?? ''
