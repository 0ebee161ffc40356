import type { PromptUsage } from '@waystation/protocol/session/prompt-usage.ts'
import { change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { StepCall } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** An entry to add to the model's context. `engine/turn/prompt.ts` turns it into messages. */
export type NewEntry = {
  kind: 'user' | 'step' | 'answer' | 'note' | 'oob'
  turnId: string
  messageId?: string
  toolCallId?: string
  payload: Record<string, unknown>
  tokens: number
  /** For a step: the estimated and reported size of its prompt. */
  usage?: PromptUsage
}

/** A stored entry. `calls` contains the calls of a step, in the order in which the model made them. */
export type StoredEntry = {
  id: number
  kind: NewEntry['kind']
  messageId: string | null
  toolCallId: string | null
  payload: Record<string, unknown>
  tokens: number
  calls: (Omit<StepCall, 'duration'> & { duration: number | null })[] | null
}

/**
 * Appends entries to the context and its window, in this order, and returns their IDs. Requires the session's
 * lock.
 */
export async function addEntries(
  ctx: Ctx,
  session: LockedSession,
  entries: readonly NewEntry[]
): Promise<number[]> {
  if (entries.length === 0) return []
  const rows = entries.map((entry, n) => ({ ...entry, n }))
  change(ctx, session, { tokens: entries.reduce((sum, entry) => sum + entry.tokens, 0) })
  const added = await ctx.sql<{ id: number }[]>`
    insert into context (session_key, kind, turn_id, message_id, tool_call_id, payload, tokens, usage)
    select ${session.sessionKey}, kind, "turnId", "messageId", "toolCallId", payload, tokens, usage
    from json_to_recordset(${rows}::json)
      as e(n int, kind text, "turnId" text, "messageId" text, "toolCallId" text, payload jsonb, tokens int, usage jsonb)
    order by n returning id`
  return added.map(({ id }) => id)
}

/** Appends one entry and returns its ID. Requires the session's lock. */
export async function addEntry(ctx: Ctx, session: LockedSession, entry: NewEntry): Promise<number> {
  const [id] = await addEntries(ctx, session, [entry])
  if (id === undefined) throw new Error('The context entry was not stored.')
  return id
}

/**
 * Adds the tokens of a call's result to the entry of its step. The entry is always inside the window, because
 * the window never starts after a step with unsettled calls. Does nothing if `contextId` is null, as for
 * "continue?". Requires the session's lock.
 */
export async function countResult(
  ctx: Ctx,
  session: LockedSession,
  contextId: number | null,
  tokens: number
): Promise<void> {
  await ctx.sql`
    with told as (
      update context set tokens = tokens + ${tokens}, result_tokens = result_tokens + ${tokens}
      where session_key = ${session.sessionKey} and id = ${contextId}
      returning id
    )
    update sessions set context_tokens = context_tokens + ${tokens} from told where key = ${session.sessionKey}`
}

/**
 * Returns the entries of the context window with IDs greater than `after`, oldest first
 * (docs/concepts/engine.md#prompt).
 */
export async function readEntries(ctx: Ctx, sessionKey: number, after: number): Promise<StoredEntry[]> {
  return ctx.sql<StoredEntry[]>`
    select e.id, e.kind, e.message_id, e.tool_call_id, e.payload, e.tokens,
      case when e.kind = 'step' then (
        select json_agg(json_build_object('toolCallId', c.tool_call_id, 'toolName', c.tool_name,
          'deferred', c.deferred_at is not null, 'result', c.result, 'editedInput', c.edited_input,
          'duration', c.duration, 'render', case c.kind when 'agent' then c.render end) order by c.ord)
        from jsonb_array_elements_text(e.payload -> 'callIds') with ordinality as o(id, ord)
        join lateral (
          select calls.*, o.ord from calls where calls.session_key = e.session_key and calls.tool_call_id = o.id
        ) c on true
      ) end as calls
    from context e where e.session_key = ${sessionKey}
      and e.id > greatest(${after}, (select context_start from sessions where key = ${sessionKey})) order by e.id`
}
