import { notFound } from '@waystation/base/api-error.ts'
import type { CallState } from '@waystation/protocol/call/call.ts'
import type { GetTurnResult, TurnRef, TurnResult } from '@waystation/protocol/session/comparison.ts'
import type { TurnOutcome } from '@waystation/protocol/session/event.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns what came of one turn. Throws `NOT_FOUND` for an unknown session or user message. */
export async function getTurnResult(ctx: Ctx, turn: GetTurnResult): Promise<TurnResult> {
  await sessionKeyOf(ctx, turn.sessionId)
  const [result] = await turnResults(ctx, [turn])
  if (result === undefined) throw notFound('message', turn.messageId)
  return result
}

type Row = TurnRef & {
  status: string
  texts: string[] | null
  revision: number | null
  model: string | null
  outcome: TurnOutcome | null
  error: string | null
  turns: number
  working: boolean
  inputTokens: number | null
  outputTokens: number | null
  usd: number | null
  seconds: number | null
  calls: { toolCallId: string; toolName: string; input: unknown; state: CallState; open: boolean }[] | null
}

/**
 * Returns what came of turns, in one query and in their order. A turn's messages are those between its user message and
 * the next one. Turns whose session or message was deleted are left out.
 */
export async function turnResults(ctx: Ctx, turns: readonly TurnRef[]): Promise<TurnResult[]> {
  const rows = await ctx.sql<Row[]>`
    select s.id as session_id, o.id as message_id, s.status, to_json(m.texts) as texts, m.revision, t.*, c.calls,
      (select r.config -> 'chat' ->> 'model' from agent_revisions r
        where r.workspace_id = s.workspace_id and r.agent_id = s.agent_id and r.revision = m.revision) as model
    from unnest(${turns.map(({ sessionId }) => sessionId)}::text[], ${turns.map(({ messageId }) => messageId)}::text[])
        with ordinality as x(session_id, message_id, n)
      join sessions s on s.workspace_id = ${ctx.workspaceId} and s.id = x.session_id and s.deleted_at is null
      join messages o on o.session_key = s.key and o.id = x.message_id and o.role = 'user'
      cross join lateral (
        select coalesce(array_agg(a.id), '{}') as ids, (array_agg((a.message -> 'metadata' -> 'revision')::int order by a.pos desc))[1] as revision,
          array_agg(p.text order by a.pos, p.n) filter (where p.text is not null) as texts
        from messages a left join lateral (
          select p ->> 'text' as text, n from jsonb_array_elements(a.message -> 'parts') with ordinality as e(p, n)
          where p ->> 'type' = 'text') p on true
        where a.session_key = s.key and a.role = 'assistant' and a.pos > o.pos and not exists (
          select from messages n where n.session_key = s.key and n.role = 'user' and n.pos > o.pos and n.pos < a.pos
            and not n.message -> 'metadata' ? 'queued')
      ) m
      cross join lateral (
        select count(*)::int as turns, coalesce(bool_or(t.ended_at is null), false) as working,
          (array_agg(t.outcome order by t.started_at desc))[1] as outcome,
          (array_agg(t.error ->> 'message' order by t.started_at desc))[1] as error,
          sum(t.input_tokens)::int as input_tokens, sum(t.output_tokens)::int as output_tokens, sum(t.usd) as usd,
          sum(extract(epoch from coalesce(t.ended_at, clock_timestamp()) - t.started_at))::float8 as seconds
        from turns t where t.session_key = s.key and t.message_id = any(m.ids)
      ) t
      cross join lateral (
        select json_agg(json_build_object('toolCallId', c.tool_call_id, 'toolName', c.tool_name,
          'input', coalesce(c.edited_input, c.input), 'state', c.state,
          'open', c.state = 'open' and c.kind <> 'server') order by c.since, c.tool_call_id) as calls
        from calls c where c.session_key = s.key and c.message_id = any(m.ids)
      ) c
    order by x.n`
  return rows.map(toResult)
}

function toResult({ sessionId, messageId, texts, revision, model, turns, calls, ...row }: Row): TurnResult {
  const { error, inputTokens, outputTokens, usd, seconds } = row
  const state = stateOf(row, { turns, calls })
  return {
    sessionId,
    messageId,
    state,
    ...(state === 'failed' && error !== null ? { error } : {}),
    text: (texts ?? []).join('\n\n').trim(),
    calls: (calls ?? []).map(({ open: _, ...call }) => call),
    ...(revision === null ? {} : { revision }),
    ...(model === null ? {} : { model }),
    ...(turns === 0
      ? {}
      : {
          inputTokens: inputTokens ?? 0,
          outputTokens: outputTokens ?? 0,
          usd: usd ?? 0,
          seconds: seconds ?? 0
        })
  }
}

function stateOf(
  { working, outcome, status, texts }: Pick<Row, 'working' | 'outcome' | 'status'> & { texts?: Row['texts'] },
  { turns, calls }: Pick<Row, 'turns' | 'calls'>
): TurnResult['state'] {
  if (working) return 'working'
  if (calls?.some(({ open }) => open)) return 'waiting'
  // No turn names a copied message. The turn of a new message has none before its first step.
  if (turns === 0) return status === 'running' && texts == null ? 'working' : 'done'
  if (outcome === 'failed') return 'failed'
  if (outcome === 'parked') return status === 'running' ? 'working' : 'done'
  return outcome === 'done' ? 'done' : 'stopped'
}
