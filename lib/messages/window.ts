import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { textOf } from '#lib/protocol/message.ts'

/** The window moves when the context passes this share of the model's, and then to this one: big, rare hops, so that
 * providers' prompt caches stay warm between them (design 4). */
const full = 0.8
const after = 0.5
/** Characters of what was left out that the summary keeps: the first words of what people asked. */
const summaryLength = 4000

type Entry = {
  id: number
  kind: string
  tokens: number
  payload: { parts?: { type: string; text?: string }[] }
  waiting: boolean
}

/** What the prompt window holds: its tokens, the entry before its first one, and what stands for everything before. */
export type WindowSize = { tokens: number; start: number; summary: string }

export async function windowSize(ctx: Ctx, head: Head): Promise<WindowSize> {
  const [size] = await ctx.sql<WindowSize[]>`
    select context_tokens as tokens, context_start as start, summary from sessions where key = ${head.sessionKey}`
  if (size === undefined) throw new Error(`Session ${head.sessionKey} has a head and is not stored.`)
  return size
}

/**
 * Moves the start of the prompt window when the context has grown past 80 % of the model's. Only at a step border
 * (before a person's message), never past a call that is open or whose late answer no step has seen yet. What is
 * left out stands in the summary. The head is locked; `size` is as of now.
 */
export async function moveWindow(
  ctx: Ctx,
  head: Head,
  contextTokens: number,
  size: WindowSize
): Promise<void> {
  if (size.tokens <= contextTokens * full) return

  const entries = await ctx.sql<Entry[]>`
    select e.id, e.kind, e.tokens, case when e.kind = 'user' then e.payload else '{}' end as payload,
      exists (select from calls c where c.context_id = e.id and (c.result is null or c.deferred_at is not null and not exists (
        select from context a join context s on s.session_key = a.session_key and s.kind = 'step' and s.id > a.id
        where a.session_key = e.session_key and a.id > e.id and a.kind = 'answer' and a.tool_call_id = c.tool_call_id))) as waiting
    from context e where e.session_key = ${head.sessionKey} and e.id > ${size.start} order by e.id`
  const stop = entries.findIndex(entry => entry.waiting)
  const movable = stop < 0 ? entries : entries.slice(0, stop)

  let left = size.tokens
  let border = -1
  for (const [i, entry] of movable.entries()) {
    // The newest message always stays: a border is only before an entry that something follows.
    if (entry.kind === 'user' && i > 0 && i < entries.length - 1) {
      border = i
      if (left <= contextTokens * after) break
    }
    left -= entry.tokens
  }
  if (border <= 0) return
  const dropped = movable.slice(0, border)
  const asked = dropped
    .filter(entry => entry.kind === 'user')
    .map(entry => `- ${textOf({ parts: entry.payload.parts ?? [] }).slice(0, 200)}`)
  const staying = size.tokens - dropped.reduce((sum, entry) => sum + entry.tokens, 0)
  const summary = [size.summary, ...asked]
    .filter(line => line !== '')
    .join('\n')
    .slice(-summaryLength)
  await ctx.sql`
    update sessions set context_start = ${dropped.at(-1)?.id ?? size.start}, context_tokens = ${staying}, summary = ${summary}
    where key = ${head.sessionKey}`
}
