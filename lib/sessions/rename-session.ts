import type { RenameSession } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'

/** Changes a session's title. Followers receive an event. */
export async function renameSession(
  ctx: Ctx,
  input: RenameSession
): Promise<{ sessionId: string; title: string }> {
  const title = redacted(ctx, 'title', input.title)
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    await tx.sql`update sessions set title = ${title} where key = ${session.sessionKey}`
    append(tx, session, [{ type: 'session', title }])
    return { sessionId: input.sessionId, title }
  })
}
