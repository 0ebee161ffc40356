import type { UserPart } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns the text of the messages that started a run; empty if none did. */
export async function inputOf(ctx: Ctx, sessionKey: number, from: number | null): Promise<string> {
  return (await runMessages(ctx, sessionKey, from)).map(({ text }) => text).join('\n\n')
}

/**
 * Returns the text that started a turn, as the agent received it, and the number of steps that the turn has
 * started.
 */
export async function turnSoFar(
  ctx: Ctx,
  sessionKey: number,
  turnId: string
): Promise<{ input: string; rounds: number }> {
  const [turn] = await ctx.sql<{ before: number; begun: number; from: number | null }[]>`
    select run_rounds as before, begun, run_from as "from" from turns where id = ${turnId}`
  const { before, begun, from } = turn ?? { before: 0, begun: 0, from: null }
  return { input: before > 0 ? '' : await inputOf(ctx, sessionKey, from), rounds: begun }
}

/**
 * Returns the user messages that started a run, as the agent received them: those between the entry `from`
 * and the run's first step. If `from` is null, no message started it.
 */
export async function runMessages(
  ctx: Ctx,
  sessionKey: number,
  from: number | null
): Promise<{ id: string; text: string; sentBy?: string }[]> {
  if (from === null) return []
  const rows = await ctx.sql<{ id: string; parts: UserPart[]; sentBy: string | null }[]>`
    select c.message_id as id, c.payload -> 'parts' as parts, m.message -> 'metadata' ->> 'sentBy' as sent_by
    from context c left join messages m on m.session_key = c.session_key and m.id = c.message_id
    where c.session_key = ${sessionKey} and c.id > ${from} and c.kind = 'user' and c.payload -> 'parts' <> '[]'::jsonb
      and c.id < coalesce((
        select id from context where session_key = ${sessionKey} and id > ${from} and kind = 'step' order by id limit 1
      ), 9223372036854775807)
    order by c.id`
  return rows.map(({ id, parts, sentBy }) => ({
    id,
    text: textOf({ parts }),
    ...(sentBy === null ? {} : { sentBy })
  }))
}
