import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answererOf, identityOf } from '#lib/kernel/identity.ts'

/**
 * Stores a message at the end of the transcript. `seq` is the sequence number of the event that shows it and
 * determines its position. Requires the session's lock.
 */
export async function addMessage(
  ctx: Ctx,
  session: LockedSession,
  message: Message,
  seq: number,
  /** `done` means that the message is complete. `also` lists authors of its text other than the sender. */
  { done = message.role === 'user', also = [] }: { done?: boolean; also?: readonly Identity[] } = {}
): Promise<void> {
  const sender = {
    ...answererOf(ctx.actor),
    name: identityOf(ctx.actor).name,
    ...(also.length === 0 ? {} : { also })
  }
  await ctx.sql`
    insert into messages (session_key, id, pos, role, message, sender, folded_seq, done, done_at)
    values (${session.sessionKey}, ${message.id}, ${seq}, ${message.role}, ${message}::jsonb,
      ${message.role === 'user' ? sender : null}::jsonb, ${seq}, ${done},
      case when ${done} then clock_timestamp() end)`
}

/** Moves a queued message to the end of the transcript, when the agent takes it in. Requires the session's lock. */
export async function placeMessage(
  ctx: Ctx,
  session: LockedSession,
  message: Message,
  seq: number
): Promise<void> {
  await ctx.sql`
    update messages set pos = ${seq}, folded_seq = ${seq}, message = ${message}::jsonb
    where session_key = ${session.sessionKey} and id = ${message.id}`
}
