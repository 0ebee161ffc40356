import type { Ctx } from '#lib/kernel/ctx.ts'
import { summaryTool } from '#lib/protocol/session/summary-tool.ts'

/**
 * Whether the newest step, a row `newest` with its `id` and `payload`, has said the agent's last word (001-20): it called `summary`,
 * which went well, and no plugin gave it another round; or a plugin gave the person the next one. Its results then start no step.
 */
export const isFinalAnswer = ({ sql }: Ctx, sessionKey: number) => sql`(
  newest.payload ? 'endsTurn' or not newest.payload ? 'goesOn' and exists (
    select from calls c where c.session_key = ${sessionKey} and c.context_id = newest.id and c.tool_name = ${summaryTool}
      and c."where" not in ('external', 'browser') and c.result ->> 'type' = 'output'))`
