import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/events/append.ts'
import { type Head, lockHead } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import { danger } from '#lib/messages/window.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import { applyChunk, foldedMessage } from '#lib/protocol/apply-chunk.ts'
import type { Compaction } from '#lib/protocol/compaction.ts'
import type { Chunk } from '#lib/protocol/event.ts'
import type { Message } from '#lib/protocol/message.ts'
import type { BackInPrompt, PutBack } from '#lib/protocol/put-back.ts'
import { getContext } from './get-context.ts'

type Row = {
  id: string
  turnId: string
  messageId: string
  fromId: number
  entries: number
  tokens: number
  summary: string
  summaryBefore: string
  putBackAt: string | null
  newest: string | null
}

/**
 * Puts what a compaction left out back into the prompt, from the next step on, as if the window had not moved (001-17): only the
 * newest one that is not put back yet, one after the other, since each summary holds what the ones before it say. Refused
 * where the prompt would be over 95 % of the model's context (`CONFLICT`, with the figures). It is not taken out again
 * for the same reason: until the window next moves, it moves only past that share (`planMove`). Again is the same answer.
 */
export async function putBack(ctx: Ctx, { sessionId, compactionId }: PutBack): Promise<BackInPrompt> {
  return inTransaction(ctx, async tx => {
    const head = await lockHead(tx, sessionId)
    const row = await rowOf(tx, head, compactionId)
    const now = await getContext(tx, { sessionId, shown: 0 })
    const { contextTokens, ratio } = now
    const limit = contextTokens === undefined ? {} : { contextTokens }
    const answer = (estimated: number): BackInPrompt => ({
      compactionId,
      messages: row.entries,
      tokens: Math.round(estimated * ratio),
      ...limit
    })
    if (row.putBackAt !== null) return answer(now.estimated)
    if (row.newest !== compactionId)
      throw new Refusal(
        'CONFLICT',
        'Later messages were summarized after these. Put the later messages back first.'
      )
    const back = answer(
      now.estimated + row.tokens + countTokens(row.summaryBefore) - countTokens(row.summary)
    )
    if (contextTokens !== undefined && back.tokens > contextTokens * danger)
      throw new Refusal(
        'CONFLICT',
        `The messages do not fit: the prompt would have ${count(back.tokens)} of at most ${count(Math.floor(contextTokens * danger))} tokens (context: ${count(contextTokens)}). Raise the context limit of the agent, or continue with the summary.`
      )
    const [at] = await tx.sql<{ at: string }[]>`
      with back as (
        update compactions set put_back_at = clock_timestamp()
        where session_key = ${head.sessionKey} and id = ${compactionId} returning put_back_at
      )
      update sessions set context_start = ${row.fromId}, summary = ${row.summaryBefore},
        context_tokens = context_tokens + ${row.tokens}
      from back where key = ${head.sessionKey} returning back.put_back_at as at`
    await show(tx, head, row, at?.at ?? head.now)
    return back
  })
}

async function rowOf(tx: Ctx, head: Head, compactionId: string): Promise<Row> {
  const [row] = await tx.sql<Row[]>`
    select id, turn_id, message_id, from_id, entries, summary,
      summary_before, put_back_at,
      (select coalesce(sum(e.tokens), 0)::int from context e
        where e.session_key = c.session_key and e.id > c.from_id and e.id <= c.to_id) as tokens,
      (select id from compactions where session_key = c.session_key and put_back_at is null order by n desc limit 1) as newest
    from compactions c where session_key = ${head.sessionKey} and id = ${compactionId}`
  if (row === undefined) throw notFound('compaction', compactionId)
  return row
}

/** Says so where the compaction stands: a message that is over is shown anew, one that is being written gets a chunk. */
async function show(tx: Ctx, head: Head, { id, turnId, messageId }: Row, putBackAt: string): Promise<void> {
  const [stored] = await tx.sql<{ message: Message; done: boolean }[]>`
    select message, done from messages where session_key = ${head.sessionKey} and id = ${messageId}`
  // It may be past retention.
  if (stored === undefined) return
  const data = await shownNow(tx, head, { id, messageId }, stored.message)
  if (data === undefined) return
  const chunk: Chunk = { type: 'data-compaction', id, data: { ...data, putBackAt } }
  if (!stored.done) {
    await append(tx, head, [{ type: 'chunk', messageId, turnId, chunk }])
    return
  }
  const { message } = applyChunk(foldedMessage(stored.message), chunk)
  await tx.sql`
    update messages set message = ${message}::jsonb
    where session_key = ${head.sessionKey} and id = ${messageId}`
  await append(tx, head, [{ type: 'message', message }])
}

/** As its message says it, or, while that is being written, its newest chunk. */
async function shownNow(
  tx: Ctx,
  head: Head,
  { id, messageId }: { id: string; messageId: string },
  message: Message
): Promise<Compaction | undefined> {
  const part = message.parts.find(part => part.type === 'data-compaction' && part.id === id)
  if (part?.type === 'data-compaction') return part.data
  const [event] = await tx.sql<{ data: Compaction }[]>`
    select payload -> 'chunk' -> 'data' as data from events
    where session_key = ${head.sessionKey} and message_id = ${messageId} and type = 'chunk'
      and payload -> 'chunk' ->> 'id' = ${id} order by seq desc limit 1`
  return event?.data
}

const count = (tokens: number) => new Intl.NumberFormat('en-GB').format(tokens)
