import { summaryTool } from '@waystation/protocol/call/tool-names.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns an SQL condition: the newest step gave the agent's final answer (001-20), so its results start no
 * step. Either its call of `summary` succeeded and no plugin requested another step, or a plugin ended the
 * turn. The statement must contain a row `newest` with `id` and `payload`.
 */
export const isFinalAnswer = ({ sql }: Ctx, sessionKey: number) => sql`(
  newest.payload ? 'endsTurn' or not newest.payload ? 'goesOn' and exists (
    select from calls c where c.session_key = ${sessionKey} and c.context_id = newest.id and c.tool_name = ${summaryTool}
      and c."where" not in ('external', 'browser') and c.result ->> 'type' = 'output'))`
