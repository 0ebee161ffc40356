import type { Message } from '@waystation/protocol/session/message.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Minutes for which a finished message keeps its chunks. Readers that are less than this behind need no reset
 * (docs/concepts/engine.md#events).
 */
const keepMinutes = 10
/** Maximum number of messages per run. Each is compacted in a transaction of its own. */
const batch = 500

/**
 * Replaces the chunks of each finished message with one `message` event, at the place of the last chunk. A
 * cursor at the edge of such a range stays valid; a cursor inside it gets a `reset`.
 */
export async function compactMessages(ctx: Ctx): Promise<void> {
  const due = await ctx.sql<{ sessionKey: number; id: string }[]>`
    select session_key, id from messages
    where role = 'assistant' and done and compacted_at is null
      and done_at < clock_timestamp() - make_interval(mins => ${keepMinutes}) limit ${batch}`
  for (const { sessionKey, id } of due) await compactMessage(ctx, sessionKey, id)
}

async function compactMessage(ctx: Ctx, sessionKey: number, id: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    await tx.sql`select from heads where session_key = ${sessionKey} for update`
    const [row] = await tx.sql<{ message: Message }[]>`
      update messages set compacted_at = clock_timestamp()
      where session_key = ${sessionKey} and id = ${id} and done and compacted_at is null returning message`
    if (row === undefined) return
    const [range] = await tx.sql<{ first: number | null; last: number | null }[]>`
      select min(seq) as first, max(seq) as last from events
      where session_key = ${sessionKey} and message_id = ${id} and type = 'chunk'`
    if (range === undefined || range.first === null || range.last === null || range.first === range.last)
      return
    await tx.sql`
      delete from events where session_key = ${sessionKey} and message_id = ${id} and type = 'chunk' and seq < ${range.last}`
    await tx.sql`
      update events set type = 'message', from_seq = ${range.first}, turn_id = null,
        payload = ${{ message: row.message }}::json
      where session_key = ${sessionKey} and seq = ${range.last}`
  })
}
