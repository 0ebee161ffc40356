import type { Ctx } from '#lib/kernel/ctx.ts'
import { previewFrom } from '#lib/kernel/list-texts.ts'

/** Returns the preview of a session's last text, for lists of sessions. Empty if the last part is not a text. */
export async function lastWords(ctx: Ctx, sessionKey: number): Promise<string> {
  const [row] = await ctx.sql<{ words: string | null }[]>`
    select jsonb_path_query_first(message -> 'parts', '$[last].text') #>> '{}' as words from messages
    where session_key = ${sessionKey} order by pos desc limit 1`
  return previewFrom(row?.words ?? '')
}
