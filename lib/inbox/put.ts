import { json } from '#db/client.ts'
import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { UserPart } from '#lib/protocol/message.ts'
import { owe } from './owe.ts'

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

/**
 * The one door in (design 3 "put"): under the head's lock, adds the item and, if it can start something, owes the
 * session to a worker in the same transaction. What people see of it (a message, a settled call) is appended by the
 * verb that puts it. Returns the item's ID.
 */
export async function put(ctx: Ctx, head: Head, item: Item): Promise<string> {
  const itemId = ('itemId' in item ? item.itemId : undefined) ?? newId('item')
  const payload =
    item.kind === 'message' ? { parts: item.parts } : item.kind === 'retry' ? { turnId: item.turnId } : {}
  await ctx.sql`
    insert into inbox (session_key, item_id, kind, mode, message_id, tool_call_id, payload)
    values (${head.sessionKey}, ${itemId}, ${item.kind}, ${item.kind === 'message' ? item.mode : null},
      ${item.kind === 'message' ? item.messageId : null}, ${item.kind === 'answer' ? item.toolCallId : null},
      ${json(payload)}::text::jsonb)`
  await owe(ctx, head)
  return itemId
}
