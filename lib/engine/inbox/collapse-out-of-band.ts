import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** So many of the newest stay whole when others collapse, and this many may be whole until they do (004-14). */
const staysWhole = 20
const mayBeWhole = 40
/** What a line in the prompt counts for, in tokens: its attributes and its first words. */
const lineTokens = 60

/**
 * Lets old out-of-band messages collapse to a line each in the prompt: in big, rare hops, as the window moves, so that between
 * them each prompt begins with the one before. Their rows keep every word. The head is locked.
 */
export async function collapseOob(tx: Ctx, head: LockedSession): Promise<void> {
  await tx.sql`
    with whole as (
      select e.id, e.tokens, row_number() over (order by e.id desc) as place from context e join sessions s on s.key = e.session_key
      where e.session_key = ${head.sessionKey} and e.kind = 'oob' and e.id > greatest(s.context_start, s.oob_start)
    ), old as (
      select id, tokens - least(tokens, ${lineTokens}) as saved from whole
      where place > ${staysWhole} and (select count(*) from whole) > ${mayBeWhole}
    ), counted as (
      update context set tokens = tokens - old.saved from old
      where context.session_key = ${head.sessionKey} and context.id = old.id
    )
    update sessions set oob_start = (select max(id) from old), context_tokens = context_tokens - (select sum(saved) from old)
    where key = ${head.sessionKey} and exists (select from old)`
}
