import { inTransaction } from '#db/transaction.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import { countPartTokens } from '#lib/kernel/count-part-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'

/**
 * Puts a plugin's words in the place of what people said, in the model's context alone: no model has read these entries yet.
 * Files stay where they are; of several messages the first has the words, and one that has nothing left stands for
 * nothing. The lease is checked. It resolves with them as kept.
 */
export async function replaceInput(
  ctx: Ctx,
  lease: Lease,
  messageIds: readonly string[],
  input: string
): Promise<string> {
  const text = redacted(ctx, 'model', input)
  await inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    const rows = await tx.sql<{ id: number; tokens: number; parts: UserPart[] }[]>`
      select id, tokens, payload -> 'parts' as parts from context
      where session_key = ${head.sessionKey} and kind = 'user' and message_id = any(${messageIds as string[]}::text[])
      order by id`
    const changed = rows.map(({ id, tokens, parts }, at) => {
      const said: UserPart[] = at === 0 ? [{ type: 'text', text }] : []
      const kept = [...said, ...parts.filter(({ type }) => type !== 'text')]
      return { id, parts: kept, tokens: countPartTokens(kept), before: tokens }
    })
    await tx.sql`
      with now as (
        select * from json_to_recordset(${changed}::json) as n(id bigint, parts jsonb, tokens int, before int)
      ), changed as (
        update context c set payload = c.payload || jsonb_build_object('parts', n.parts), tokens = n.tokens
        from now n where c.session_key = ${head.sessionKey} and c.id = n.id
      )
      update sessions set context_tokens = context_tokens + (select coalesce(sum(tokens - before), 0) from now)
      where key = ${head.sessionKey}`
  })
  return text
}
