import type { Ctx } from '#lib/kernel/ctx.ts'
import type { PromptMessage } from '#lib/protocol/session/prompt.ts'

/** A row that a prompt is put together from. */
type Link<Message> = { skipped: number; kept: number; rest: Message[] }

/** The messages of a kept prompt, put together from the rows that it leans on, back to a whole one. */
export async function rebuildPrompt(ctx: Ctx, sessionKey: number, id: number): Promise<PromptMessage[]> {
  const rows = await ctx.sql<Link<PromptMessage>[]>`
    with recursive chain as (
      select id, base, skipped, kept, rest from prompts where session_key = ${sessionKey} and id = ${id}
      union all
      select p.id, p.base, p.skipped, p.kept, p.rest
      from chain c join prompts p on p.session_key = ${sessionKey} and p.id = c.base
    )
    select skipped, kept, rest from chain order by id`
  return joined(rows)
}

/** The messages that these rows come to, the whole one first. */
export const joined = <Message>(rows: readonly Link<Message>[]): Message[] =>
  rows.reduce<Message[]>(
    (messages, { skipped, kept, rest }) => [...messages.slice(skipped, skipped + kept), ...rest],
    []
  )
