import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OobPriority } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'

/** An item that waits to be consumed; for an answer, with what its call is now. */
export type WaitingItem = {
  id: number
  itemId: string
  kind: 'message' | 'answer' | 'retry' | 'yield' | 'oob'
  mode: 'start' | 'queue' | 'steer' | 'interrupt' | null
  messageId: string | null
  toolCallId: string | null
  payload: { parts?: UserPart[]; turnId?: string; priority?: OobPriority; resting?: boolean }
}

/** What a step takes from the inbox, oldest first; of out-of-band input see `engine/inbox/drain-out-of-band.ts`. */
export type Drained = {
  messages: WaitingItem[]
  answers: WaitingItem[]
  retries: WaitingItem[]
  yields: WaitingItem[]
}

/** Everything that waits in a session's inbox, oldest first. */
export const waitingItems = async (ctx: Ctx, head: LockedSession): Promise<WaitingItem[]> => ctx.sql<
  WaitingItem[]
>`
  select id, item_id, kind, mode, message_id, tool_call_id, payload from inbox
  where session_key = ${head.sessionKey} and consumed_at is null order by id`

/**
 * What the next step takes of what waits: every answer, retry and yield, every message that steers, and, when the turn is new, the one
 * message that it is for (an interrupt before the queue, then the oldest). The rest of the queue waits for turns of
 * its own. Nothing is consumed yet: see `consume`.
 */
export function drain(items: readonly WaitingItem[], { firstStep }: { firstStep: boolean }): Drained {
  const waiting = items.filter(item => item.kind === 'message')
  const own = firstStep
    ? (waiting.find(item => item.mode === 'start') ??
      waiting.find(item => item.mode === 'interrupt') ??
      waiting.find(item => item.mode === 'queue'))
    : undefined
  return {
    messages: waiting.filter(item => item.mode === 'steer' || item === own),
    answers: items.filter(item => item.kind === 'answer'),
    retries: items.filter(item => item.kind === 'retry'),
    yields: items.filter(item => item.kind === 'yield')
  }
}

/** Consumes items, in the transaction that makes them part of the context. */
export async function consume(ctx: Ctx, items: readonly WaitingItem[]): Promise<void> {
  if (items.length === 0) return
  await ctx.sql`
    update inbox set consumed_at = clock_timestamp() where id = any(${items.map(item => item.id)}) and consumed_at is null`
}
