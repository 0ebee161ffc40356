import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { PromptUsage } from '@waystation/protocol/session/prompt-usage.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newestUsage } from './newest-usage.ts'

/**
 * The window moves when the prompt exceeds `maxShare` of the model's context, and shrinks it to
 * `targetShare`. Large, rare moves keep the provider's prompt cache warm
 * (docs/concepts/engine.md#prompt-window).
 */
const maxShare = 0.8
const targetShare = 0.5
/** Minimum share of the context for the conversation, regardless of the length of instructions, tools and summary. */
const minShare = 0.1
/** Maximum length of a summary without a model, in characters. */
const maxSummaryChars = 4000

type Entry = {
  id: number
  kind: string
  tokens: number
  payload: { parts?: { type: string; text?: string }[] }
  waiting: boolean
  duration: number | null
  /** For a step: the tokens of its results, and their longest duration; null if one of them stays forever. */
  resultTokens: number
  longest: number | null
}

/**
 * The space for the window. `contextTokens` is the size of the model's context. `fixed` is the estimated size
 * of instructions, tools and summary. `ratio` is the number of real tokens per estimated token. It only
 * decides when the window moves and never changes an entry.
 */
export type WindowBudget = { contextTokens: number; fixed: number; ratio: number }

/**
 * The context window: its estimated tokens, the ID of the entry before its first one, the summary of earlier
 * entries, and the usage of the newest steps, newest first.
 */
export type WindowSize = { tokens: number; start: number; summary: string; usage: PromptUsage[] }

/** Returns, for each entry, the tokens that are no longer sent because a duration is over (001-7). */
function expiredTokens(entries: readonly Entry[]): number[] {
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

/** Reads the current size of the context window. Requires the session's lock. */
export async function windowSize(ctx: Ctx, sessionKey: number): Promise<WindowSize> {
  const [size] = await ctx.sql<WindowSize[]>`
    select context_tokens as tokens, context_start as start, summary, ${newestUsage(ctx)} as usage
    from sessions s where key = ${sessionKey}`
  if (size === undefined) throw new Error(`Session ${sessionKey} has a head but is not stored.`)
  return size
}

/** Returns the maximum size of the window and the size after a move, in estimated tokens. */
function bounds({ contextTokens, fixed, ratio }: WindowBudget): { most: number; target: number } {
  const limit = contextTokens / ratio
  const maxTokens = Math.max(limit * maxShare - fixed, limit * minShare)
  // If `fixed` is large, the target is half of the maximum, so that moves stay rare.
  return { most: maxTokens, target: Math.max(limit * targetShare - fixed, maxTokens / 2) }
}

/**
 * A planned move of the window. The entries after `from`, up to `to`, leave it. `words` is the summary
 * without a model, for these entries and for `before`, the summary so far.
 */
export type Move = {
  from: number
  to: number
  entries: number
  before: string
  words: string
  /** Size of the model's context in estimated tokens. */
  limit: number
}

/**
 * Plans a move of the window if the prompt exceeds 80 % of the model's context; undefined if it does not, or
 * no entry can leave. The window starts at a user message, and never after an open call or a late answer that
 * no step has seen. `size` must be current. Requires the session's lock.
 */
export async function planMove(
  ctx: Ctx,
  session: LockedSession,
  room: WindowBudget,
  size: WindowSize
): Promise<Move | undefined> {
  const { most: maxTokens, target } = bounds(room)
  if (size.tokens <= maxTokens) return undefined

  const entries = await ctx.sql<Entry[]>`
    select e.id, e.kind, e.tokens, e.result_tokens, (e.payload -> 'duration')::int as duration,
      (select case when bool_and(c.duration is not null) then max(c.duration) end from calls c
        where c.session_key = e.session_key and c.context_id = e.id) as longest,
      case when e.kind = 'user' then e.payload else '{}' end as payload,
      exists (select from calls c where c.context_id = e.id and (c.result is null or c.deferred_at is not null and not exists (
        select from context a join context s on s.session_key = a.session_key and s.kind = 'step' and s.id > a.id
        where a.session_key = e.session_key and a.id > e.id and a.kind = 'answer' and a.tool_call_id = c.tool_call_id))) as waiting
    from context e where e.session_key = ${session.sessionKey} and e.id > ${size.start} order by e.id`
  // Expired entries take no space in the prompt, but every read of the window includes them. They stay until
  // the window is twice its maximum size.
  const expired = expiredTokens(entries)
  const unsent = size.tokens > 2 * maxTokens ? [] : expired
  const sent = size.tokens - unsent.reduce((sum, tokens) => sum + tokens, 0)
  if (sent <= maxTokens) return undefined
  const firstWaiting = entries.findIndex(entry => entry.waiting)
  const movable = firstWaiting < 0 ? entries : entries.slice(0, firstWaiting)

  let remaining = sent
  let border = -1
  for (const [i, entry] of movable.entries()) {
    // The newest message always stays, so a border needs a following entry.
    if (entry.kind === 'user' && i > 0 && i < entries.length - 1) {
      border = i
      if (remaining <= target) break
    }
    remaining -= entry.tokens - (unsent[i] ?? 0)
  }
  const dropped = movable.slice(0, Math.max(border, 0))
  const last = dropped.at(-1)
  if (last === undefined) return undefined
  const userLines = dropped
    .filter((entry, i) => entry.kind === 'user' && expired[i] === 0)
    .map(entry => `- ${textOf({ parts: entry.payload.parts ?? [] }).slice(0, 200)}`)
  const summary = [size.summary, ...userLines]
    .filter(line => line !== '')
    .join('\n')
    .slice(-maxSummaryChars)
    .toWellFormed()
  return {
    from: size.start,
    to: last.id,
    entries: dropped.length,
    before: size.summary,
    words: summary,
    limit: room.contextTokens / room.ratio
  }
}
