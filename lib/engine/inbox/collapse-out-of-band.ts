import { oobSizes } from '@waystation/protocol/out-of-band/oob-settings.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns a size that the workspace sets for its prompts, as an expression (004-14). */
export const oobSize = ({ sql, workspaceId }: Ctx, name: keyof typeof oobSizes.prompt) => sql`
  coalesce((select (out_of_band -> 'prompt' ->> ${name}::text)::int from workspaces where id = ${workspaceId}), ${oobSizes.prompt[name]}::int)`

/**
 * Shortens old out-of-band messages to a line each in the prompt. This happens rarely and to many at once, so
 * that each prompt in between starts with the previous one. The stored messages keep their full text. The
 * tokens of a line are estimated: 35 for its attributes, and one for four characters.
 * Requires the session's lock.
 */
export async function collapseOob(tx: Ctx, session: LockedSession): Promise<void> {
  await tx.sql`
    with whole as (
      select e.id, e.tokens, row_number() over (order by e.id desc) as place from context e join sessions s on s.key = e.session_key
      where e.session_key = ${session.sessionKey} and e.kind = 'oob' and e.id > greatest(s.context_start, s.oob_start)
    ), old as (
      select id, tokens - least(tokens, 35 + ${oobSize(tx, 'characters')} / 4) as saved from whole
      where place > ${oobSize(tx, 'full')} and (select count(*) from whole) > ${oobSize(tx, 'maxFull')}
    ), counted as (
      update context set tokens = tokens - old.saved from old
      where context.session_key = ${session.sessionKey} and context.id = old.id
    )
    update sessions set oob_start = (select max(id) from old), context_tokens = context_tokens - (select sum(saved) from old)
    where key = ${session.sessionKey} and exists (select from old)`
}
