import { newId } from '@waystation/base/ids.ts'
import type { Compaction } from '@waystation/protocol/session/compaction.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Move } from './read-window.ts'

/** A summary of the entries that leave the window, how it was made, and the cost of making it. */
export type WindowSummary = Pick<Compaction, 'madeBy' | 'model' | 'problem' | 'summary'> & {
  /** Duration of the summary's model call, in milliseconds. */
  ms: number
  inputTokens: number
  outputTokens: number
  usd: number
}

/** Returns a summary that consists of the first words of user messages and costs nothing. */
export const summaryFromMessages = ({ words }: Move): WindowSummary => ({
  madeBy: 'words',
  summary: words,
  ms: 0,
  inputTokens: 0,
  outputTokens: 0,
  usd: 0
})

/**
 * Moves the window and shows the compaction in the step's message, in the caller's transaction. The
 * compaction is shown as a step of its own before the step's text, so it survives a crash that drops that
 * text. The plan is still valid, because the live turn made it. Requires the session's lock.
 */
export async function moveWindow(
  tx: Ctx,
  session: LockedSession,
  { from, to, entries, before }: Move,
  { ms, inputTokens, outputTokens, usd, ...compaction }: WindowSummary,
  messageId: string
): Promise<void> {
  const turnId = session.turnId as string
  const id = newId('cmp')
  const { sessionKey } = session
  const [moved] = await tx.sql<{ tokens: number; at: string }[]>`
    with gone as (
      select coalesce(sum(tokens), 0)::int as tokens from context
      where session_key = ${sessionKey} and id > ${from} and id <= ${to}
    ), moved as (
      update sessions set context_start = ${to}, context_tokens = context_tokens - gone.tokens, summary = ${compaction.summary}
      from gone where key = ${sessionKey} returning gone.tokens
    ), kept as (
      insert into compactions (session_key, id, to_id, entries, made_by, input_tokens, output_tokens, usd, created_at)
      values (${sessionKey}, ${id}, ${to}, ${entries}, ${compaction.madeBy}, ${inputTokens}, ${outputTokens}, ${usd},
        clock_timestamp())
      returning created_at
    )
    select moved.tokens, kept.created_at as at from moved, kept`
  if (moved === undefined) throw new Error(`Session ${sessionKey} has a head but is not stored.`)
  const data: Compaction = {
    compactionId: id,
    messages: entries,
    tokensBefore: moved.tokens + countTokens(before),
    tokensAfter: countTokens(compaction.summary),
    ...compaction,
    at: moved.at,
    ms
  }
  const chunks: Chunk[] = [
    { type: 'data-compaction', id, data },
    { type: 'finish-step' },
    { type: 'start-step' }
  ]
  append(
    tx,
    session,
    chunks.map(chunk => ({ type: 'chunk', messageId, turnId, chunk }))
  )
}
