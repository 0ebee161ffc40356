import { ApiError } from '@waystation/base/api-error.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * A turn as users see it: from a user's message (`message`) up to the next user's message. Content before the first user
 * message is a turn without `message`. Positions are as in `messages.pos`. `to` is where the next turn starts, or null
 * for the last turn.
 */
export type TurnAt = { from: number; to: number | null; message: Message | undefined }

/**
 * Returns the turn that contains a message. Throws `CONFLICT` if the message was removed, is still queued, or belongs
 * to an external agent, which has its own copy of the conversation. Needs the session's lock.
 */
export async function findTurn(tx: Ctx, session: LockedSession, messageId: string): Promise<TurnAt> {
  if (session.external)
    throw new ApiError(
      'CONFLICT',
      'The external agent has its own copy of this conversation, so you cannot edit, rerun or delete its messages. Send the agent a new message.'
    )
  const [target] = await tx.sql<{ pos: number; queued: boolean }[]>`
    select pos, message -> 'metadata' ? 'queued' as queued from messages
    where session_key = ${session.sessionKey} and id = ${messageId}`
  if (target === undefined)
    throw new ApiError(
      'CONFLICT',
      'This message is no longer in the conversation: it was edited, run again or deleted. Reload the conversation.'
    )
  if (target.queued)
    throw new ApiError(
      'CONFLICT',
      'The agent has not received this message yet. Remove it, and send another message.'
    )
  const [opener] = await tx.sql<{ pos: number; message: Message }[]>`
    select pos, message from messages
    where session_key = ${session.sessionKey} and role = 'user' and pos <= ${target.pos}
      and not message -> 'metadata' ? 'queued' order by pos desc limit 1`
  const from = opener?.pos ?? 0
  const [next] = await tx.sql<{ pos: number }[]>`
    select pos from messages
    where session_key = ${session.sessionKey} and role = 'user' and pos > ${from}
      and not message -> 'metadata' ? 'queued' order by pos limit 1`
  return { from, to: next?.pos ?? null, message: opener?.message }
}
