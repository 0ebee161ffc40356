import { storable } from '#db/client.ts'
import { inTransaction, together } from '#db/transaction.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { messagesWait } from '#lib/engine/inbox/messages-wait.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { keepReceipt, knownReceipt } from '#lib/engine/inbox/receipts.ts'
import { append } from '#lib/engine/log/append.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import { agentOfSession } from '#lib/engine/worker/running-agent.ts'
import { stopTurn } from '#lib/engine/worker/stop-turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { ActiveItem, ActiveItemName } from '#lib/protocol/external-agent/active-item.ts'
import { fileUrl } from '#lib/protocol/session/kept-file.ts'
import { type Message, textOf, type UserPart, withDelivery } from '#lib/protocol/session/message.ts'
import type { SendMessage, SendReceipt } from '#lib/protocol/session/session.ts'
import { attachFiles } from '#lib/sessions/files/attach-files.ts'
import { isLarge, keepLarge } from '#lib/sessions/files/keep-large.ts'
import { checkDeclarable, declareTools } from './client-tools.ts'
import { itemSentAlong } from './item-sent-along.ts'

/** The most a message may be, in bytes of JSON (api.md). */
const maxBytes = 256 * 1024

/**
 * Takes a person's message (api.md): stored, shown and owed to a worker in one transaction. While the session is
 * busy it is refused, queued, steered in or interrupts, as the sender says; open calls stay open in every case. The
 * same key answers the same receipt, before busyness is looked at. What a failed turn left waiting comes first: behind
 * it a message queues, though nothing runs. `also`: who wrote words of it before, which are said again.
 */
export async function sendMessage(
  ctx: Ctx,
  input: SendMessage,
  also: readonly Identity[] = []
): Promise<SendReceipt> {
  const parts = redactedParts(ctx, storable(partsOf(input)) as UserPart[])
  const along = input.active && ('wiki' in input.active ? input.active : itemSentAlong(ctx, input.active))
  const body = {
    parts,
    whenBusy: input.whenBusy,
    ...(along === undefined ? {} : { active: along }),
    ...durationOf(input)
  }
  if (input.clientTools !== undefined) await checkDeclarable(ctx, input.clientTools)
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, input.sessionId)
    const [known, behind] = await together([
      knownReceipt<SendReceipt>(tx, head, 'send', input.key, body),
      head.turnId === null && !head.external ? messagesWait(tx, head) : false
    ])
    if (known !== undefined) return known

    if (head.external && parts.some(part => part.type === 'file'))
      throw invalid('External agents receive only text. Remove the file, or put a link to it in the message.')
    if (!head.external && along !== undefined)
      throw invalid(
        'Only external agents receive an active item. Put its content into the message, or attach it.'
      )
    // Another system is never busy, and no turn of ours runs for it.
    const busy = head.turnId !== null
    if (busy && input.whenBusy === 'reject')
      throw new Refusal(
        'SESSION_BUSY',
        'The agent is working. Set whenBusy to "queue" (after this turn), "steer" (at the next step) or "interrupt" (instead of this turn).'
      )
    const mode = modeOf(input.whenBusy, { busy, behind })
    const active = along && 'wiki' in along ? await tx.ports.sessions.readPage(tx, along) : along
    if (input.clientTools !== undefined) await declareTools(tx, head, input.clientTools)
    const itemId = newId('item')
    const id = newId('msg')
    const sent = await attachFiles(tx, head, id, await inside(tx, head, parts))
    const message = messageOf(tx, head, { id, parts: sent, mode, itemId, active, ...durationOf(input) })
    const title = head.title === '' ? titleOf(sent) : ''
    const status = mode === 'start' ? 'started' : mode === 'steer' ? 'steering' : 'queued'
    const receipt: SendReceipt = { itemId, messageId: message.id, status }
    // What is being written ends here: a message stands where it ended.
    if (head.external) await tx.ports.sessions.external.closeReplies(tx, head)
    // None of these reads what another one writes: they are sent together, and waited for once.
    await together([
      append(tx, head, [
        ...(title === '' ? [] : [{ type: 'session' as const, title }]),
        { type: 'message', message }
      ]),
      addMessage(tx, head, message, head.seq, { also }),
      tx.sql`
        update sessions set active_at = clock_timestamp(), snippet = ${snippetOf(sent)},
          title = case when title = '' then ${title} else title end
        where key = ${head.sessionKey}`,
      keepReceipt(tx, head, 'send', input.key, body, receipt),
      head.external
        ? undefined
        : put(tx, head, { kind: 'message', itemId, mode, messageId: message.id, parts: sent })
    ])
    if (head.external) await forward(tx, head, message, active)
    if (busy && mode === 'interrupt') await stopTurn(tx, head, 'interrupted')
    return receipt
  })
}

/** To the external agent as this session has it now. */
async function forward(tx: Ctx, head: LockedSession, message: Message, active?: ActiveItem): Promise<void> {
  const agent = await agentOfSession(tx, head)
  if (agent.type === 'external')
    await tx.ports.sessions.external.forwardMessage(tx, head, message, agent.external, active)
}

function partsOf(input: SendMessage): UserPart[] {
  const files = (input.files ?? []).map(id => ({
    type: 'file' as const,
    // What it is, the server knows: see `attachFiles`.
    mediaType: 'application/octet-stream',
    url: fileUrl(input.sessionId, id)
  }))
  const said =
    input.parts ??
    (files.length > 0 && !input.text?.trim() ? [] : [{ type: 'text' as const, text: input.text ?? '' }])
  const parts = [...said, ...files]
  if (!parts.some(part => part.type === 'file' || part.text.trim() !== ''))
    throw new Refusal('EMPTY_MESSAGE', 'The message is empty. Write something, or attach a file.')
  if (bytesOf(parts.filter(part => !isLarge(part))) > maxBytes)
    throw new Refusal(
      'TOO_LARGE',
      `A message can be up to ${maxBytes / 1024} KiB. Shorten it, or send several messages.`
    )
  return parts
}

const bytesOf = (parts: readonly UserPart[]) => Buffer.byteLength(JSON.stringify(parts))

/** What stands in the message itself: of one that is too long, not its large files. */
const inside = async (tx: Ctx, head: LockedSession, parts: UserPart[]): Promise<UserPart[]> =>
  bytesOf(parts) > maxBytes ? keepLarge(tx, head, parts) : parts

/** What people wrote, as it may be stored; of a file its name. */
export const redactedParts = (ctx: Ctx, parts: readonly UserPart[]): UserPart[] =>
  parts.map(part =>
    part.type === 'text'
      ? { ...part, text: redacted(ctx, 'message', part.text) }
      : { ...part, ...(part.filename && { filename: redacted(ctx, 'message', part.filename) }) }
  )

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
  head: LockedSession,
  {
    id,
    parts,
    mode,
    itemId,
    active,
    ...kept
  }: {
    id: string
    parts: UserPart[]
    mode: Mode
    itemId: string
    active?: ActiveItem | undefined
    duration?: number
  }
): Message {
  const { content: _, ...named } = active ?? {}
  const metadata = {
    createdAt: head.now,
    sentBy: ctx.actor.name,
    itemId,
    ...(mode === 'start' ? {} : { queued: mode }),
    ...(active === undefined ? {} : { active: named as ActiveItemName }),
    ...kept
  }
  const shown = parts as Message['parts']
  return {
    id,
    role: 'user',
    metadata,
    parts: head.external ? withDelivery({ id, parts: shown }, { state: 'pending' }) : shown
  }
}

const durationOf = ({ duration }: SendMessage) => (duration === undefined ? {} : { duration })

/** A session without a title takes the first words of its first message, or the name of what was sent without any. */
const titleOf = (parts: UserPart[]) =>
  (textOf({ parts }).trim() || namesOf(parts)).split('\n')[0]?.slice(0, 80) ?? ''

const snippetOf = (parts: UserPart[]) => (textOf({ parts }).trim() || namesOf(parts)).slice(0, 160)

const namesOf = (parts: UserPart[]) =>
  parts.flatMap(part => (part.type === 'file' ? (part.filename ?? []) : [])).join(', ')
