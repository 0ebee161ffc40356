import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { Compaction } from '#lib/protocol/session/compaction.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'
import type { Move } from './read-window.ts'

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
 * Moves the window and shows it in the step's message, all in the caller's transaction. It is shown before the step's own
 * text, in a step of its own, so that a crash which drops that text leaves it. The head is locked, and its turn is the one
 * that planned the move, so the window is still where the plan began.
 */
export async function moveWindow(
  tx: Ctx,
  head: LockedSession,
  { from, to, entries, before }: Move,
  { ms, inputTokens, outputTokens, usd, ...made }: Made,
  messageId: string
): Promise<void> {
  const turnId = head.turnId as string
  const id = newId('cmp')
  const { sessionKey } = head
  const [moved] = await tx.sql<{ tokens: number; at: string }[]>`
    with gone as (
      select coalesce(sum(tokens), 0)::int as tokens from context
      where session_key = ${sessionKey} and id > ${from} and id <= ${to}
    ), moved as (
      update sessions set context_start = ${to}, context_tokens = context_tokens - gone.tokens, summary = ${made.summary}
      from gone where key = ${sessionKey} returning gone.tokens
    ), kept as (
      insert into compactions (session_key, id, to_id, entries, made_by, input_tokens, output_tokens, usd, created_at)
      values (${sessionKey}, ${id}, ${to}, ${entries}, ${made.madeBy}, ${inputTokens}, ${outputTokens}, ${usd},
        clock_timestamp())
      returning created_at
    )
    select moved.tokens, kept.created_at as at from moved, kept`
  if (moved === undefined) throw new Error(`Session ${sessionKey} has a head but is not stored.`)
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
}
