import { append } from '#lib/events/append.ts'
import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { Move } from '#lib/messages/window.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import type { Compaction } from '#lib/protocol/compaction.ts'
import type { Chunk } from '#lib/protocol/event.ts'

/** The summary that a window moves on with, whose it is, and what making it took. */
export type Made = Pick<Compaction, 'madeBy' | 'model' | 'problem' | 'summary'> & {
  /** Milliseconds. */
  ms: number
  inputTokens: number
  outputTokens: number
  usd: number
}

/** A summary that nobody is asked for. */
export const inWords = ({ words }: Move): Made => ({
  madeBy: 'words',
  summary: words,
  ms: 0,
  inputTokens: 0,
  outputTokens: 0,
  usd: 0
})

/**
 * Moves the window, keeps what stood in its place before, and shows it in the step's message, all in the caller's transaction:
 * false, and nothing is changed, when the window is not where the plan began (somebody has put something back meanwhile).
 * It stands before the step's own words, in a step of its own, so that a crash which drops those words leaves it. The head
 * is locked.
 */
export async function moveWindow(
  tx: Ctx,
  head: Head,
  { from, to, entries, before }: Move,
  { ms, inputTokens, outputTokens, usd, ...made }: Made,
  messageId: string
): Promise<boolean> {
  const turnId = head.turnId as string
  const id = newId('cmp')
  const { sessionKey } = head
  const [moved] = await tx.sql<{ tokens: number; at: string }[]>`
    with gone as (
      select coalesce(sum(tokens), 0)::int as tokens from context
      where session_key = ${sessionKey} and id > ${from} and id <= ${to}
    ), moved as (
      update sessions set context_start = ${to}, context_tokens = context_tokens - gone.tokens, summary = ${made.summary}
      from gone where key = ${sessionKey} and context_start = ${from} and summary = ${before} returning gone.tokens
    )
    insert into compactions (session_key, id, turn_id, message_id, from_id, to_id, entries, tokens, summary_before, summary,
      made_by, input_tokens, output_tokens, usd, created_at)
    select ${sessionKey}, ${id}, ${turnId}, ${messageId}, ${from}, ${to}, ${entries}, tokens, ${before}, ${made.summary},
      ${made.madeBy}, ${inputTokens}, ${outputTokens}, ${usd}, clock_timestamp()
    from moved returning tokens, created_at as at`
  if (moved === undefined) return false
  const data: Compaction = {
    compactionId: id,
    messages: entries,
    tokensBefore: moved.tokens + countTokens(before),
    tokensAfter: countTokens(made.summary),
    ...made,
    at: moved.at,
    ms
  }
  const chunks: Chunk[] = [
    { type: 'data-compaction', id, data },
    { type: 'finish-step' },
    { type: 'start-step' }
  ]
  await append(
    tx,
    head,
    chunks.map(chunk => ({ type: 'chunk', messageId, turnId, chunk }))
  )
  return true
}
