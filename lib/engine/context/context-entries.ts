import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import type { PromptUsage } from '#lib/protocol/session/prompt-usage.ts'

/** An entry of the model's context to be stored; what it stands for in the prompt is `engine/turn/prompt.ts`'s. */
export type NewEntry = {
  kind: 'user' | 'step' | 'answer' | 'note' | 'oob'
  turnId: string
  messageId?: string
  toolCallId?: string
  payload: Record<string, unknown>
  tokens: number
  /** Of a step: what its own prompt came to. */
  usage?: PromptUsage
}

/** A stored entry. A step's calls stand beside it, in the order the model made them. */
export type StoredEntry = {
  id: number
  kind: NewEntry['kind']
  messageId: string | null
  toolCallId: string | null
  payload: Record<string, unknown>
  tokens: number
  calls: Array<{
    toolCallId: string
    toolName: string
    deferred: boolean
    result: CallResult | null
    editedInput: unknown
    duration: number | null
  }> | null
}

/** Adds entries at the end of the context and of its window, in this order, and returns their IDs. The head is locked. */
export async function addEntries(
  ctx: Ctx,
  head: LockedSession,
  entries: readonly NewEntry[]
): Promise<number[]> {
  if (entries.length === 0) return []
  const rows = entries.map((entry, n) => ({ ...entry, n }))
  const added = await ctx.sql<{ id: number }[]>`
    with counted as (
      update sessions set context_tokens = context_tokens + ${entries.reduce((sum, entry) => sum + entry.tokens, 0)}
      where key = ${head.sessionKey}
    )
    insert into context (session_key, kind, turn_id, message_id, tool_call_id, payload, tokens, usage)
    select ${head.sessionKey}, kind, "turnId", "messageId", "toolCallId", payload, tokens, usage
    from json_to_recordset(${rows}::json)
      as e(n int, kind text, "turnId" text, "messageId" text, "toolCallId" text, payload jsonb, tokens int, usage jsonb)
    order by n returning id`
  return added.map(({ id }) => id)
}

/** Adds one entry, and returns its ID. */
export async function addEntry(ctx: Ctx, head: LockedSession, entry: NewEntry): Promise<number> {
  const [id] = await addEntries(ctx, head, [entry])
  if (id === undefined) throw new Error('The context entry was not stored.')
  return id
}

/**
 * Counts the result of a call in the entry of its step, where the model is shown it. The window never starts behind a
 * step whose calls have no result, so the entry is in it. A call of our own stands in no entry: nothing is counted. The
 * head is locked.
 */
export async function countResult(
  ctx: Ctx,
  head: LockedSession,
  contextId: number | null,
  tokens: number
): Promise<void> {
  await ctx.sql`
    with told as (
      update context set tokens = tokens + ${tokens}, result_tokens = result_tokens + ${tokens}
      where session_key = ${head.sessionKey} and id = ${contextId}
      returning id
    )
    update sessions set context_tokens = context_tokens + ${tokens} from told where key = ${head.sessionKey}`
}

/** The window of the context: every entry behind its start and after `after` (exclusive), oldest first, by index
 * (docs/concepts/engine.md#prompt). */
export async function readEntries(ctx: Ctx, sessionKey: number, after: number): Promise<StoredEntry[]> {
  return ctx.sql<StoredEntry[]>`
    select e.id, e.kind, e.message_id, e.tool_call_id, e.payload, e.tokens,
      case when e.kind = 'step' then (
        select json_agg(json_build_object('toolCallId', c.tool_call_id, 'toolName', c.tool_name,
          'deferred', c.deferred_at is not null, 'result', c.result, 'editedInput', c.edited_input,
          'duration', c.duration) order by c.ord)
        from jsonb_array_elements_text(e.payload -> 'callIds') with ordinality as o(id, ord)
        join lateral (
          select calls.*, o.ord from calls where calls.session_key = e.session_key and calls.tool_call_id = o.id
        ) c on true
      ) end as calls
    from context e where e.session_key = ${sessionKey}
      and e.id > greatest(${after}, (select context_start from sessions where key = ${sessionKey})) order by e.id`
}
