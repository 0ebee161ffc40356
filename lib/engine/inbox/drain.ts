import type { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** An inbox item that has not been consumed. */
export type WaitingItem = {
  id: number
  itemId: string
  kind: 'message' | 'answer' | 'retry' | 'yield' | 'oob'
  mode: 'start' | 'queue' | 'steer' | 'interrupt' | null
  messageId: string | null
  toolCallId: string | null
  payload: { parts?: UserPart[]; turnId?: string; priority?: OobPriority; resting?: boolean }
}

/**
 * The items that a step takes from the inbox, oldest first. For out-of-band messages, see
 * `engine/inbox/drain-out-of-band.ts`.
 */
export type Drained = {
  messages: WaitingItem[]
  answers: WaitingItem[]
  retries: WaitingItem[]
  yields: WaitingItem[]
}

/** Returns all unconsumed items of a session's inbox, oldest first. */
export const waitingItems = async (ctx: Ctx, sessionKey: number): Promise<WaitingItem[]> => ctx.sql<
  WaitingItem[]
>`
  select id, item_id, kind, mode, message_id, tool_call_id, payload from inbox
  where session_key = ${sessionKey} and consumed_at is null order by id`

/**
 * Selects the items for the next step: all answers, retries and yields, and all messages that steer. The
 * first step of a turn also takes the message that the turn is for: an interrupt before a queued message,
 * then the oldest. Other queued messages wait for turns of their own. Consumes nothing; see `consume`.
 */
export function drain(items: readonly WaitingItem[], { firstStep }: { firstStep: boolean }): Drained {
  const waiting = items.filter(item => item.kind === 'message')
  const turnMessage = firstStep
    ? (waiting.find(item => item.mode === 'start') ??
      waiting.find(item => item.mode === 'interrupt') ??
      waiting.find(item => item.mode === 'queue'))
    : undefined
  return {
    messages: waiting.filter(item => item.mode === 'steer' || item === turnMessage),
    answers: items.filter(item => item.kind === 'answer'),
    retries: items.filter(item => item.kind === 'retry'),
    yields: items.filter(item => item.kind === 'yield')
  }
}

/** Marks items as consumed. Call this in the transaction that adds them to the context. */
export async function consume(ctx: Ctx, items: readonly WaitingItem[]): Promise<void> {
  if (items.length === 0) return
  await ctx.sql`
    update inbox set consumed_at = clock_timestamp() where id = any(${items.map(item => item.id)}) and consumed_at is null`
}
