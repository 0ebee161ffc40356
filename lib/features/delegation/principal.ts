import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the person whom the session belongs to: its end user, or else the sender of the newest message.
 * Undefined if there is neither.
 */
export async function principalOf(ctx: Ctx, sessionKey: number): Promise<Identity | undefined> {
  const [row] = await ctx.sql<{ subject: string | null; sender: Identity | null }[]>`
    select subject, (
      select sender from messages m where m.session_key = s.key and role = 'user' and sender is not null
      order by pos desc limit 1) as sender
    from sessions s where key = ${sessionKey}`
  if (row === undefined) return undefined
  if (row.subject !== null) return { id: `subject:${row.subject}`, name: row.subject }
  return row.sender === null ? undefined : { id: row.sender.id, name: row.sender.name }
}
