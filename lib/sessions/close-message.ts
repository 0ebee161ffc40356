import { callsOfMessage } from '#lib/calls/read.ts'
import { append } from '#lib/events/append.ts'
import type { Head } from '#lib/events/head.ts'
import { consume, drain, waitingItems } from '#lib/inbox/drain.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { addEntry } from '#lib/messages/context.ts'
import { refold } from '#lib/messages/refold.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import type { Chunk, LoggedEvent } from '#lib/protocol/event.ts'
import type { Notice, UserPart } from '#lib/protocol/message.ts'
import type { Ending } from './end-turn.ts'
import { placeMessages } from './place-messages.ts'

/** A message whose turn was stopped before its first step stays in the conversation: the next turn sees it. */
export async function keepUndrained(ctx: Ctx, head: Head, turnId: string): Promise<void> {
  const { messages } = drain(await waitingItems(ctx, head), { firstStep: true })
  const own = messages.filter(item => item.mode === 'start' || item.mode === 'steer')
  await placeMessages(ctx, head, own)
  for (const item of own) {
    const parts = (item.payload.parts ?? []) as UserPart[]
    const tokens = countTokens(JSON.stringify(parts))
    await addEntry(ctx, head, {
      kind: 'user',
      turnId,
      ...(item.messageId ? { messageId: item.messageId } : {}),
      payload: { parts },
      tokens
    })
  }
  await consume(ctx, own)
}

/** The last words of a turn in its message: what went wrong, or that it was stopped. */
export async function closeMessage(
  ctx: Ctx,
  head: Head,
  messageId: string,
  turnId: string,
  ending: Ending
): Promise<void> {
  const chunks: LoggedEvent[] = []
  const write = (chunk: Chunk) => chunks.push({ type: 'chunk', messageId, turnId, chunk })
  if (ending.outcome === 'failed' && ending.error !== undefined) {
    chunks.push(...dropStep(messageId, turnId, { kind: 'failed', ...ending.error, turnId }))
  }
  if (ending.outcome === 'cancelled' || ending.outcome === 'interrupted') {
    if (ending.partial !== undefined && ending.partial.trim() !== '') {
      const content = [{ type: 'text', text: ending.partial }]
      await addEntry(ctx, head, {
        kind: 'step',
        turnId,
        messageId,
        payload: { content, callIds: [] },
        tokens: countTokens(ending.partial)
      })
    }
    // Also what keeps a stop a stop: results that came in before it do not start a step by themselves any more.
    if (ending.outcome === 'cancelled' || ending.partial)
      await addEntry(ctx, head, {
        kind: 'note',
        turnId,
        payload: { text: 'The person stopped you here.' },
        tokens: 10
      })
    const by = ending.outcome === 'interrupted' ? 'interrupt' : 'person'
    write({ type: 'data-notice', id: newId('notice'), data: { kind: 'stopped', by } })
    write({ type: 'finish-step' })
  }
  if (ending.outcome !== 'parked') write({ type: 'finish' })
  const [calls] = await Promise.all([
    callsOfMessage(ctx, head.sessionKey, messageId),
    append(ctx, head, chunks)
  ])
  await refold(ctx, head, messageId, calls, { done: ending.outcome !== 'parked' })
}

/** A failed step leaves no half sentence: its parts are dropped and the reason stands instead. */
export const dropStep = (messageId: string, turnId: string, notice: Notice): LoggedEvent[] => [
  { type: 'chunk', messageId, turnId, chunk: { type: 'reset-step' } },
  { type: 'chunk', messageId, turnId, chunk: { type: 'data-notice', id: `notice_${turnId}`, data: notice } },
  { type: 'chunk', messageId, turnId, chunk: { type: 'finish-step' } }
]
