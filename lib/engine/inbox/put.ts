import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { OobPriority } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'
import { scheduleIfRunnable } from './schedule-if-runnable.ts'

/** Anything that asks a session to act. */
export type Item =
  | {
      kind: 'message'
      itemId?: string
      mode: 'start' | 'queue' | 'steer' | 'interrupt'
      messageId: string
      parts: UserPart[]
    }
  | { kind: 'answer'; toolCallId: string }
  | { kind: 'retry'; turnId: string }
  /** The agent has the next round as well, though nobody asks for anything: a plugin said so (001-9). */
  | { kind: 'yield' }
  /** `resting`: it starts nothing by itself, and is told with whatever comes next. */
  | { kind: 'oob'; itemId: string; priority: OobPriority; resting: boolean }

/**
 * The one door in (docs/concepts/engine.md#put): under the head's lock, adds the item and, if it can start something, owes the
 * session to a worker in the same transaction. What people see of it (a message, a settled call) is appended by the
 * verb that puts it. Returns the item's ID.
 */
export async function put(ctx: Ctx, head: LockedSession, item: Item): Promise<string> {
  const itemId = ('itemId' in item ? item.itemId : undefined) ?? newId('item')
  await ctx.sql`
    insert into inbox (session_key, item_id, kind, mode, message_id, tool_call_id, payload)
    values (${head.sessionKey}, ${itemId}, ${item.kind}, ${item.kind === 'message' ? item.mode : null},
      ${item.kind === 'message' ? item.messageId : null}, ${item.kind === 'answer' ? item.toolCallId : null},
      ${payloadOf(item)}::jsonb)`
  await scheduleIfRunnable(ctx, head)
  return itemId
}

function payloadOf(item: Item): Record<string, unknown> {
  switch (item.kind) {
    case 'message':
      return { parts: item.parts }
    case 'answer':
    case 'yield':
      return {}
    case 'retry':
      return { turnId: item.turnId }
    case 'oob':
      return { priority: item.priority, resting: item.resting }
  }
}
