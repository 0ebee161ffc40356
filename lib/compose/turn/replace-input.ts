import type { UserPart } from '@waystation/protocol/session/message.ts'
import { inTransaction } from '#db/transaction.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import { countPartTokens } from '#lib/kernel/count-part-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'

/**
 * Replaces the user's text with a plugin's text, only in the model's context, where no model has read it yet.
 * Files stay in place. With several messages, the first one gets the text, and the others keep only their
 * files. Checks the lease. Resolves with the text as stored (redacted).
 */
export async function replaceInput(
  ctx: Ctx,
  lease: Lease,
  messageIds: readonly string[],
  input: string
): Promise<string> {
  const text = redacted(ctx, 'model', input)
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const rows = await tx.sql<{ id: number; tokens: number; parts: UserPart[] }[]>`
      select id, tokens, payload -> 'parts' as parts from context
      where session_key = ${session.sessionKey} and kind = 'user' and message_id = any(${messageIds as string[]}::text[])
      order by id`
    const changed = rows.map(({ id, tokens, parts }, index) => {
      const textParts: UserPart[] = index === 0 ? [{ type: 'text', text }] : []
      const newParts = [...textParts, ...parts.filter(({ type }) => type !== 'text')]
      return { id, parts: newParts, tokens: countPartTokens(newParts), before: tokens }
    })
    await tx.sql`
      with now as (
        select * from json_to_recordset(${changed}::json) as n(id bigint, parts jsonb, tokens int, before int)
      ), changed as (
        update context c set payload = c.payload || jsonb_build_object('parts', n.parts), tokens = n.tokens
        from now n where c.session_key = ${session.sessionKey} and c.id = n.id
      )
      update sessions set context_tokens = context_tokens + (select coalesce(sum(tokens - before), 0) from now)
      where key = ${session.sessionKey}`
  })
  return text
}
