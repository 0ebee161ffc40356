import { newId } from '@waystation/base/ids.ts'
import type { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import { pipelined } from '#db/transaction.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { needsWorker } from './next-action.ts'
import { schedule, scheduleIfRunnable } from './schedule-if-runnable.ts'

/** An inbox item, which asks a session to act. */
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
  /** A plugin requests another step for the agent (001-9). */
  | { kind: 'yield' }
  /** `resting` means that the message starts no step and waits for one that starts for another reason. */
  | { kind: 'oob'; itemId: string; priority: OobPriority; resting: boolean }

/**
 * Adds an item to the inbox and, if it can start work, schedules a worker in the same transaction
 * (docs/concepts/engine.md#put). All input enters here. The caller appends the visible event, such as the
 * message. Returns the item's ID. Requires the session's lock.
 */
export async function put(ctx: Ctx, session: LockedSession, item: Item): Promise<string> {
  const itemId = ('itemId' in item ? item.itemId : undefined) ?? newId('item')
  const inserted = ctx.sql`
    insert into inbox (session_key, item_id, kind, mode, message_id, tool_call_id, payload)
    values (${session.sessionKey}, ${itemId}, ${item.kind}, ${item.kind === 'message' ? item.mode : null},
      ${item.kind === 'message' ? item.messageId : null}, ${item.kind === 'answer' ? item.toolCallId : null},
      ${payloadOf(item)}::jsonb)`.execute()
  // A message that always needs a worker saves reading the facts, so all statements travel with the commit.
  if (item.kind === 'message' && needsWorker(item.mode))
    ctx.beforeCommit(pipelined([inserted, schedule(ctx, session)]))
  else await pipelined([inserted, scheduleIfRunnable(ctx, session)])
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
