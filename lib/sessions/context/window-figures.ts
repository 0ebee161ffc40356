import type { Compaction } from '@waystation/protocol/session/compaction.ts'
import type { PromptUsage } from '@waystation/protocol/session/prompt-usage.ts'
import type { ClientTool } from '@waystation/protocol/session/session.ts'
import { newestUsage } from '#lib/engine/context/newest-usage.ts'
import { oobSize } from '#lib/engine/inbox/collapse-out-of-band.ts'
import type { ShortOob } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Figures of a session's context window: its entries, their tokens by kind, and the content before them. */
export type WindowFigures = {
  summary: string
  shortOob: ShortOob
  generation: number
  clientTools: ClientTool[]
  entries: number
  tokens: number
  user: number
  assistant: number
  toolResults: number
  outOfBand: number
  notes: number
  /** Token counts of the newest steps' prompts, newest first. */
  usage: PromptUsage[]
  /**
   * The compaction that moved the window to its start. Null means that the window starts at the beginning, or was
   * copied.
   */
  compaction: (Pick<Compaction, 'compactionId' | 'messages' | 'madeBy'> & { at: string }) | null
  /** True if an entry expires after its duration. */
  fleeting: boolean
  /** The entry before the newest `shown` entries. */
  before: number
}

/**
 * Reads the figures in one pass without loading the entries' content, whose tokens were counted when they were added.
 */
export async function windowFigures(ctx: Ctx, sessionKey: number, shown: number): Promise<WindowFigures> {
  const { sql } = ctx
  const kind = (name: string) => sql`coalesce(sum(e.tokens) filter (where e.kind = ${name}), 0)::int`
  const [figures] = await sql<WindowFigures[]>`
    select s.summary, h.generation, s.client_tools,
      json_build_object('upTo', s.oob_start, 'characters', ${oobSize(ctx, 'characters')}) as short_oob,
      count(e.id)::int as entries, coalesce(sum(e.tokens), 0)::int as tokens,
      ${kind('user')} as "user", ${kind('oob')} as out_of_band, ${kind('note')} as notes,
      ${kind('step')} - coalesce(sum(e.result_tokens), 0)::int as assistant,
      ${kind('answer')} + coalesce(sum(e.result_tokens), 0)::int as tool_results,
      ${newestUsage(ctx)} as usage,
      coalesce(bool_or(e.payload ? 'duration'), false)
        or exists (select from calls where session_key = s.key and duration is not null) as fleeting,
      (select json_build_object('compactionId', c.id, 'messages', c.entries, 'madeBy', c.made_by, 'at', c.created_at)
        from compactions c where c.session_key = s.key and c.to_id = s.context_start order by c.n desc limit 1) as compaction,
      coalesce((select id from context where session_key = s.key and id > s.context_start
        order by id desc offset ${shown} limit 1), 0) as before
    from sessions s join heads h on h.session_key = s.key
      left join context e on e.session_key = s.key and e.id > s.context_start
    where s.key = ${sessionKey} group by s.key, h.session_key`
  if (figures === undefined) throw new Error(`Session ${sessionKey} was found but has no head.`)
  return figures
}
