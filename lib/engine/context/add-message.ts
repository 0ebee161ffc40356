import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answererOf, identityOf } from '#lib/kernel/identity.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { Message } from '#lib/protocol/session/message.ts'

/** Stores a message at the end of what people see; its place is the seq of the event that shows it. The head is locked. */
export async function addMessage(
  ctx: Ctx,
  head: LockedSession,
  message: Message,
  seq: number,
  /** `done`: nothing more will be written into it. `also`: whose words it has beside those of whoever sends it. */
  { done = message.role === 'user', also = [] }: { done?: boolean; also?: readonly Identity[] } = {}
): Promise<void> {
  const sender = {
    ...answererOf(ctx.actor),
    name: identityOf(ctx.actor).name,
    ...(also.length === 0 ? {} : { also })
  }
  await ctx.sql`
    insert into messages (session_key, id, pos, role, message, sender, folded_seq, done, done_at)
    values (${head.sessionKey}, ${message.id}, ${seq}, ${message.role}, ${message}::jsonb,
      ${message.role === 'user' ? sender : null}::jsonb, ${seq}, ${done},
      case when ${done} then clock_timestamp() end)`
}

/** Moves a queued message to the end: its time has come. */
export async function placeMessage(
  ctx: Ctx,
  head: LockedSession,
  message: Message,
  seq: number
): Promise<void> {
  await ctx.sql`
    update messages set pos = ${seq}, folded_seq = ${seq}, message = ${message}::jsonb
    where session_key = ${head.sessionKey} and id = ${message.id}`
}
