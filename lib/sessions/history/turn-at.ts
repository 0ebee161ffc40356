import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Message } from '#lib/protocol/session/message.ts'

/**
 * A turn as people see it: from a person's message (`asked`) up to the next person's. What the agent said before anybody
 * wrote is a turn without one. Positions are as in `messages.pos`; `to` is where the next turn begins, null: there is none.
 */
export type TurnAt = { from: number; to: number | null; asked: Message | undefined }

/**
 * The turn that a message stands in. Gone, because somebody else was faster, or still queued: `CONFLICT`; an external
 * agent's: `CONFLICT`, it has the conversation in a memory of its own. The head is locked.
 */
export async function turnAt(tx: Ctx, head: LockedSession, messageId: string): Promise<TurnAt> {
  if (head.external)
    throw new Refusal(
      'CONFLICT',
      'The external agent has its own copy of this conversation, so you cannot edit, rerun or delete its messages. Send the agent a new message.'
    )
  const [named] = await tx.sql<{ pos: number; queued: boolean }[]>`
    select pos, message -> 'metadata' ? 'queued' as queued from messages
    where session_key = ${head.sessionKey} and id = ${messageId}`
  if (named === undefined)
    throw new Refusal(
      'CONFLICT',
      'This message is no longer in the conversation: it was edited, run again or deleted. Reload the conversation.'
    )
  if (named.queued)
    throw new Refusal(
      'CONFLICT',
      'The agent has not received this message yet. Remove it, and send another message.'
    )
  const [asked] = await tx.sql<{ pos: number; message: Message }[]>`
    select pos, message from messages
    where session_key = ${head.sessionKey} and role = 'user' and pos <= ${named.pos}
      and not message -> 'metadata' ? 'queued' order by pos desc limit 1`
  const from = asked?.pos ?? 0
  const [next] = await tx.sql<{ pos: number }[]>`
    select pos from messages
    where session_key = ${head.sessionKey} and role = 'user' and pos > ${from}
      and not message -> 'metadata' ? 'queued' order by pos limit 1`
  return { from, to: next?.pos ?? null, asked: asked?.message }
}
