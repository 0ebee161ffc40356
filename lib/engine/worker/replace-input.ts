import { inTransaction } from '#db/transaction.ts'
import { countPartTokens } from '#lib/engine/context/count-part-tokens.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { textOf, type UserPart } from '#lib/protocol/session/message.ts'

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

/**
 * The messages of people that began a run, as its agent is told them: those behind the entry `from`, up to the first step.
 * `from` null: no message began it.
 */
export async function saidIn(
  ctx: Ctx,
  sessionKey: number,
  from: number | null
): Promise<{ id: string; text: string; sentBy?: string }[]> {
  if (from === null) return []
  const rows = await ctx.sql<{ id: string; parts: UserPart[]; sentBy: string | null }[]>`
    select c.message_id as id, c.payload -> 'parts' as parts, m.message -> 'metadata' ->> 'sentBy' as sent_by
    from context c left join messages m on m.session_key = c.session_key and m.id = c.message_id
    where c.session_key = ${sessionKey} and c.id > ${from} and c.kind = 'user' and c.payload -> 'parts' <> '[]'::jsonb
      and c.id < coalesce((
        select id from context where session_key = ${sessionKey} and id > ${from} and kind = 'step' order by id limit 1
      ), 9223372036854775807)
    order by c.id`
  return rows.map(({ id, parts, sentBy }) => ({
    id,
    text: textOf({ parts }),
    ...(sentBy === null ? {} : { sentBy })
  }))
}
