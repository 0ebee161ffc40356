import type { PromptMessage } from '@waystation/protocol/session/prompt.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A row from which a prompt is rebuilt. */
type Link<Message> = { skipped: number; kept: number; rest: Message[] }

/** Returns the messages of a stored prompt, rebuilt from its chain of rows back to a complete one. */
export async function rebuildPrompt(ctx: Ctx, sessionKey: number, id: number): Promise<PromptMessage[]> {
  const rows = await ctx.sql<Link<PromptMessage>[]>`
    with recursive chain as (
      select id, base, skipped, kept, rest from prompts where session_key = ${sessionKey} and id = ${id}
      union all
      select p.id, p.base, p.skipped, p.kept, p.rest
      from chain c join prompts p on p.session_key = ${sessionKey} and p.id = c.base
    )
    select skipped, kept, rest from chain order by id`
  return joinRows(rows)
}

/** Combines the messages of these rows, of which the first is complete. */
export const joinRows = <Message>(rows: readonly Link<Message>[]): Message[] =>
  rows.reduce<Message[]>(
    (messages, { skipped, kept, rest }) => [...messages.slice(skipped, skipped + kept), ...rest],
    []
  )
