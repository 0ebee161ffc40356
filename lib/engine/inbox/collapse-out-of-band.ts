import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Number of newest messages that stay in full, and the number above which older ones are shortened (004-14). */
const fullAfterMove = 20
const maxFull = 40
/** Tokens of a shortened message: its attributes and its first words. */
const lineTokens = 60

/**
 * Shortens old out-of-band messages to a line each in the prompt. This happens rarely and to many at once, so
 * that each prompt in between starts with the previous one. The stored messages keep their full text.
 * Requires the session's lock.
 */
export async function collapseOob(tx: Ctx, session: LockedSession): Promise<void> {
  await tx.sql`
    with whole as (
      select e.id, e.tokens, row_number() over (order by e.id desc) as place from context e join sessions s on s.key = e.session_key
      where e.session_key = ${session.sessionKey} and e.kind = 'oob' and e.id > greatest(s.context_start, s.oob_start)
    ), old as (
      select id, tokens - least(tokens, ${lineTokens}) as saved from whole
      where place > ${fullAfterMove} and (select count(*) from whole) > ${maxFull}
    ), counted as (
      update context set tokens = tokens - old.saved from old
      where context.session_key = ${session.sessionKey} and context.id = old.id
    )
    update sessions set oob_start = (select max(id) from old), context_tokens = context_tokens - (select sum(saved) from old)
    where key = ${session.sessionKey} and exists (select from old)`
}
