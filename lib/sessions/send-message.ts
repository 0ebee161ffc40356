import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { ActiveItem, ActiveItemName } from '@waystation/protocol/external-agent/active-item.ts'
import type { Message, UserPart } from '@waystation/protocol/session/message.ts'
import { textOf, withDelivery } from '@waystation/protocol/session/message-parts.ts'
import type { SendMessage, SendReceipt } from '@waystation/protocol/session/session.ts'
import { fileUrl } from '@waystation/protocol/session/stored-file.ts'
import { storable } from '#db/client.ts'
import { inTransaction, pipelined } from '#db/transaction.ts'
import { agentOfSession } from '#lib/agents/agent-of-session.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { append, change } from '#lib/engine/log/append.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { previewFrom, titleFrom } from '#lib/kernel/list-texts.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { attachFiles } from '#lib/sessions/files/attach-files.ts'
import { isInline, isLarge, storeInlineFiles } from '#lib/sessions/files/store-inline-files.ts'
import { prepareActiveItem } from './active-item.ts'
import { checkDeclarable, declareTools } from './client-tools.ts'
import { stopTurn } from './stop-turn.ts'

/** The most bytes of a message as JSON (api.md). */
const maxBytes = 256 * 1024

/**
 * Stores a user's message and schedules a worker, in one transaction (api.md). While the session is busy, `whenBusy`
 * decides whether the message is refused, queued, added to the turn or interrupts it. Open calls stay open. If the key
 * is known, it returns the stored receipt even if the session is busy. If a failed turn left queued messages, the
 * message is queued behind them. `also` lists earlier authors of content in the message.
 */
export async function sendMessage(
  ctx: Ctx,
  input: SendMessage,
  also: readonly Identity[] = []
): Promise<SendReceipt> {
  const parts = redactedParts(ctx, storable(partsOf(input)) as UserPart[])
  const activeInput =
    input.active && ('wiki' in input.active ? input.active : prepareActiveItem(ctx, input.active))
  const body = {
    parts,
    whenBusy: input.whenBusy,
    ...(activeInput === undefined ? {} : { active: activeInput }),
    ...durationOf(input)
  }
  if (input.clientTools !== undefined) await checkDeclarable(ctx, input.clientTools)
  return inTransaction(ctx, async tx => {
    const [session, hasWaiting] = await pipelined([
      lockSession(tx, input.sessionId),
      // A connection runs its statements in order, so this one runs under the lock.
      hasWaitingMessages(tx, input.sessionId)
    ])
    const storedReceipt = await findReceipt<SendReceipt>(tx, session, 'send', input.key, body)
    if (storedReceipt !== undefined) return storedReceipt

    if (!session.external && activeInput !== undefined)
      throw invalid(
        'Only external agents receive an active item. Put its content into the message, or attach it.'
      )
    // An external agent runs no turn. After a handoff, the turn of the agent before can still be ending.
    const busy = session.turnId !== null
    const forwards = session.external && !busy
    if (busy && (input.whenBusy === 'reject' || activeInput !== undefined))
      throw new ApiError(
        'SESSION_BUSY',
        'The agent is working. Set whenBusy to "queue" (after this turn), "steer" (at the next step) or "interrupt" (instead of this turn).'
      )
    const mode = modeOf(input.whenBusy, { busy, behind: hasWaiting && !session.external })
    const active =
      activeInput && 'wiki' in activeInput ? await tx.ports.sessions.readPage(tx, activeInput) : activeInput
    if (input.clientTools !== undefined) await declareTools(tx, session, input.clientTools)
    const itemId = newId('item')
    const id = newId('msg')
    const attached = await attachFiles(tx, session, id, await storableParts(tx, session, parts))
    const message = messageOf(tx, session, {
      id,
      parts: attached,
      mode,
      itemId,
      active,
      forwards,
      ...durationOf(input)
    })
    const title = session.title === '' ? titleOf(attached) : ''
    const status = mode === 'start' ? 'started' : mode === 'steer' ? 'steering' : 'queued'
    const receipt: SendReceipt = { itemId, messageId: message.id, status }
    // A reply that is still being written ends before this message.
    if (forwards) await tx.ports.sessions.external.closeReplies(tx, session)
    const seq = append(tx, session, [
      ...(title === '' ? [] : [{ type: 'session' as const, title }]),
      { type: 'message', message }
    ])
    change(tx, session, {
      isActive: true,
      snippet: snippetOf(attached),
      ...(title === '' ? {} : { title })
    })
    tx.beforeCommit(
      pipelined([
        addMessage(tx, session, message, seq, { also }),
        storeReceipt(tx, session, 'send', input.key, body, receipt)
      ])
    )
    if (forwards) await forward(tx, session, message, active)
    else await put(tx, session, { kind: 'message', itemId, mode, messageId: message.id, parts: attached })
    if (busy && mode === 'interrupt') await stopTurn(tx, session, 'interrupted')
    return receipt
  })
}

/** Sends the message to the session's current external agent. */
async function forward(
  tx: Ctx,
  session: LockedSession,
  message: Message,
  active?: ActiveItem
): Promise<void> {
  const agent = await agentOfSession(tx, session)
  if (agent.type === 'external')
    await tx.ports.sessions.external.forwardMessage(tx, session, message, agent, {
      active,
      sender: identityOf(tx.actor)
    })
}

function partsOf(input: SendMessage): UserPart[] {
  const files = (input.files ?? []).map(id => ({
    type: 'file' as const,
    // `attachFiles` replaces it with the stored type.
    mediaType: 'application/octet-stream',
    url: fileUrl(input.sessionId, id)
  }))
  const typed =
    input.parts ??
    (files.length > 0 && !input.text?.trim() ? [] : [{ type: 'text' as const, text: input.text ?? '' }])
  const parts = [...typed, ...files]
  if (!parts.some(part => part.type === 'file' || part.text.trim() !== ''))
    throw new ApiError('EMPTY_MESSAGE', 'The message is empty. Write something, or attach a file.')
  if (bytesOf(parts.filter(part => !isLarge(part))) > maxBytes)
    throw new ApiError(
      'TOO_LARGE',
      `A message can be up to ${maxBytes / 1024} KiB. Shorten it, or send several messages.`
    )
  return parts
}

const bytesOf = (parts: readonly UserPart[]) => Buffer.byteLength(JSON.stringify(parts))

/**
 * Returns the parts to store in the message. If it is too long, its large files are stored separately. An external agent
 * receives links, so all of its files are.
 */
async function storableParts(tx: Ctx, session: LockedSession, parts: UserPart[]): Promise<UserPart[]> {
  if (session.external) return storeInlineFiles(tx, session, parts, isInline)
  return bytesOf(parts) > maxBytes ? storeInlineFiles(tx, session, parts, isLarge) : parts
}

/** Redacts texts and file names. */
export const redactedParts = (ctx: Ctx, parts: readonly UserPart[]): UserPart[] =>
  parts.map(part =>
    part.type === 'text'
      ? { ...part, text: redacted(ctx, 'message', part.text) }
      : { ...part, ...(part.filename && { filename: redacted(ctx, 'message', part.filename) }) }
  )

type Mode = 'start' | 'queue' | 'steer' | 'interrupt'

/** Returns how the message enters. Behind messages of a failed turn, it enters as it would during a turn. */
function modeOf(
  whenBusy: SendMessage['whenBusy'],
  { busy, behind }: { busy: boolean; behind: boolean }
): Mode {
  if (!busy && !behind) return 'start'
  return whenBusy === 'reject' ? 'queue' : whenBusy
}

function messageOf(
  ctx: Ctx,
  session: LockedSession,
  {
    id,
    parts,
    mode,
    itemId,
    active,
    forwards,
    ...rest
  }: {
    id: string
    parts: UserPart[]
    mode: Mode
    itemId: string
    active?: ActiveItem | undefined
    forwards: boolean
    duration?: number
  }
): Message {
  const { content: _, ...activeName } = active ?? {}
  const metadata = {
    createdAt: session.now,
    sentBy: ctx.actor.name,
    itemId,
    ...(mode === 'start' ? {} : { queued: mode }),
    ...(active === undefined ? {} : { active: activeName as ActiveItemName }),
    ...rest
  }
  const messageParts = parts as Message['parts']
  return {
    id,
    role: 'user',
    metadata,
    parts: forwards ? withDelivery({ id, parts: messageParts }, { state: 'pending' }) : messageParts
  }
}

const durationOf = ({ duration }: SendMessage) => (duration === undefined ? {} : { duration })

/** Derives a title from the first message, or from its file names. */
const titleOf = (parts: UserPart[]) => titleFrom(textOf({ parts })) || namesOf(parts).slice(0, 80)

const snippetOf = (parts: UserPart[]) => previewFrom(textOf({ parts })) || namesOf(parts).slice(0, 160)

const namesOf = (parts: UserPart[]) =>
  parts.flatMap(part => (part.type === 'file' ? (part.filename ?? []) : [])).join(', ')

/**
 * Tells whether the inbox contains messages that no turn has taken. If there is no live turn, a failed turn
 * left them, and they come before new messages. Requires the session's lock.
 */
async function hasWaitingMessages(tx: Ctx, sessionId: string): Promise<boolean> {
  const [row] = await tx.sql<{ wait: boolean }[]>`
    select exists (
      select from inbox i join sessions s on s.key = i.session_key
      where s.workspace_id = ${tx.workspaceId} and s.id = ${sessionId} and i.consumed_at is null and i.kind = 'message'
    ) as wait`
  return row?.wait ?? false
}
