import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { textOf } from '#lib/protocol/session/message.ts'
import type { PromptUsage } from '#lib/protocol/session/prompt-usage.ts'
import { newestUsage } from './newest-usage.ts'

/** The window moves when the prompt passes this share of the model's context, and then to this one: big, rare hops, so
 * that providers' prompt caches stay warm between them (docs/concepts/engine.md#prompt-window). */
const full = 0.8
const after = 0.5
/** Instructions, tools and summary may be long; this share is the conversation's all the same. */
const least = 0.1
/** Characters of what was left out that the summary keeps: the first words of what people asked. */
const summaryLength = 4000

type Entry = {
  id: number
  kind: string
  tokens: number
  payload: { parts?: { type: string; text?: string }[] }
  waiting: boolean
  duration: number | null
  /** Of a step: its results' tokens, and the longest of their durations; null: one of them stays for ever. */
  resultTokens: number
  longest: number | null
}

/**
 * What a window has to fit into: the model's context, and `fixed`, what of each prompt is not the window (instructions,
 * tools, summary). Both `fixed` and the window are counted by the heuristic; `ratio` is what one such token really is, and
 * only decides when the window moves: no entry is ever changed by it.
 */
export type Room = { contextTokens: number; fixed: number; ratio: number }

/** What the prompt window holds: its tokens, the entry before its first one, and what stands for everything before; and
 * what the newest steps' prompts came to, newest first. */
export type WindowSize = { tokens: number; start: number; summary: string; usage: PromptUsage[] }

/** Of each entry the tokens that are not sent any more, since its time is over (001-7). */
function notSent(entries: readonly Entry[]): number[] {
  let rounds = entries.filter(({ kind }) => kind === 'step').length
  return entries.map(({ kind, tokens, duration, resultTokens, longest }) => {
    if (kind === 'step') rounds--
    const isOver = duration !== null && rounds >= duration
    if (kind !== 'step') return isOver ? tokens : 0
    const resultsAreOver = resultTokens > 0 && longest !== null && rounds >= longest
    if (isOver && (resultTokens === 0 || resultsAreOver)) return tokens
    return resultsAreOver ? resultTokens : 0
  })
}

export async function windowSize(ctx: Ctx, head: LockedSession): Promise<WindowSize> {
  const [size] = await ctx.sql<WindowSize[]>`
    select context_tokens as tokens, context_start as start, summary, ${newestUsage(ctx)} as usage
    from sessions s where key = ${head.sessionKey}`
  if (size === undefined) throw new Error(`Session ${head.sessionKey} has a head but is not stored.`)
  return size
}

/** How much the window may hold, and what it is cut down to when it holds more; in tokens by the heuristic. */
function bounds({ contextTokens, fixed, ratio }: Room): { most: number; target: number } {
  const limit = contextTokens / ratio
  const most = Math.max(limit * full - fixed, limit * least)
  // Where much is fixed: half of what is left, so that the next hop is as rare.
  return { most, target: Math.max(limit * after - fixed, most / 2) }
}

/** A hop of the window: the entries behind `from`, up to `to`, are to leave it. `words` is what stands for them and for `before`,
 * the summary until now, without a model. */
export type Move = {
  from: number
  to: number
  entries: number
  before: string
  words: string
  /** The model's context in tokens by the heuristic. */
  limit: number
}

/**
 * Where the start of the prompt window is to move when the prompt has grown past 80 % of the model's context; undefined: it
 * stays. Only to a step border (before a person's message), never past a call that is open or whose late answer no step has
 * seen yet. The head is locked; `size` is as of now.
 */
export async function planMove(
  ctx: Ctx,
  head: LockedSession,
  room: Room,
  size: WindowSize
): Promise<Move | undefined> {
  const { most, target } = bounds(room)
  if (size.tokens <= most) return undefined

  const entries = await ctx.sql<Entry[]>`
    select e.id, e.kind, e.tokens, e.result_tokens, (e.payload -> 'duration')::int as duration,
      (select case when bool_and(c.duration is not null) then max(c.duration) end from calls c
        where c.session_key = e.session_key and c.context_id = e.id) as longest,
      case when e.kind = 'user' then e.payload else '{}' end as payload,
      exists (select from calls c where c.context_id = e.id and (c.result is null or c.deferred_at is not null and not exists (
        select from context a join context s on s.session_key = a.session_key and s.kind = 'step' and s.id > a.id
        where a.session_key = e.session_key and a.id > e.id and a.kind = 'answer' and a.tool_call_id = c.tool_call_id))) as waiting
    from context e where e.session_key = ${head.sessionKey} and e.id > ${size.start} order by e.id`
  // What is over takes no room in the prompt, but in every look at the window: it stays until the window is twice as large.
  const over = notSent(entries)
  const gone = size.tokens > 2 * most ? [] : over
  const sent = size.tokens - gone.reduce((sum, tokens) => sum + tokens, 0)
  if (sent <= most) return undefined
  const stop = entries.findIndex(entry => entry.waiting)
  const movable = stop < 0 ? entries : entries.slice(0, stop)

  let left = sent
  let border = -1
  for (const [i, entry] of movable.entries()) {
    // The newest message always stays: a border is only before an entry that something follows.
    if (entry.kind === 'user' && i > 0 && i < entries.length - 1) {
      border = i
      if (left <= target) break
    }
    left -= entry.tokens - (gone[i] ?? 0)
  }
  const dropped = movable.slice(0, Math.max(border, 0))
  const last = dropped.at(-1)
  if (last === undefined) return undefined
  const asked = dropped
    .filter((entry, i) => entry.kind === 'user' && over[i] === 0)
    .map(entry => `- ${textOf({ parts: entry.payload.parts ?? [] }).slice(0, 200)}`)
  const words = [size.summary, ...asked]
    .filter(line => line !== '')
    .join('\n')
    .slice(-summaryLength)
    .toWellFormed()
  return {
    from: size.start,
    to: last.id,
    entries: dropped.length,
    before: size.summary,
    words,
    limit: room.contextTokens / room.ratio
  }
}
