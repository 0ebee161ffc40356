import type { Call } from '@waystation/protocol/call/call.ts'
import { foldedMessage } from '@waystation/protocol/session/apply-chunk.ts'
import { applyCall } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Updates a call's state at its place in a stored message, which can be older than the current turn. Requires
 * the session's lock.
 */
export async function patchMessage(ctx: Ctx, session: LockedSession, call: Call): Promise<void> {
  const [row] = await ctx.sql<{ message: Message }[]>`
    select message from messages where session_key = ${session.sessionKey} and id = ${call.messageId}`
  if (row === undefined) return
  const { message } = applyCall(foldedMessage(row.message), call)
  await ctx.sql`
    update messages set message = ${message}::jsonb
    where session_key = ${session.sessionKey} and id = ${call.messageId}`
}
