import type { Ctx } from '#lib/kernel/ctx.ts'
import { joinRows } from './rebuild-prompt.ts'
import type { LastPrompt } from './store-prompt.ts'

type Row = {
  id: number
  skipped: number
  kept: number
  rest: unknown[]
  size: number
  instructions: string
  tools: string
}

/** Reads a session's newest stored prompt, for a process that does not remember one. Undefined if there is none. */
export async function readLastPrompt(ctx: Ctx, sessionKey: number): Promise<LastPrompt | undefined> {
  const rows = await ctx.sql<Row[]>`
    with recursive chain as (
      (select * from prompts where session_key = ${sessionKey} order by id desc limit 1)
      union all
      select p.* from chain c join prompts p on p.session_key = ${sessionKey} and p.id = c.base
    )
    select id, skipped, kept, rest, octet_length(rest::text) as size, instructions, tools from chain order by id`
  const [first] = rows
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return undefined
  return {
    id: last.id,
    messages: joinRows(rows),
    stored: true,
    instructions: { digest: last.instructions },
    tools: { digest: last.tools },
    whole: first.size,
    since: rows.reduce((sum, { size }) => sum + size, 0) - first.size,
    rows: rows.length
  }
}
