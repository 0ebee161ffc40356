import type { Call } from '@waystation/protocol/call/call.ts'
import type { Pool } from '#db/client.ts'
import { workerDied } from '#lib/engine/worker/crashes.ts'

/**
 * Checks what must be true for every session of a database, regardless of failures of its workers. It uses only the
 * stored data:
 *
 * - the log has no gaps;
 * - each turn ended exactly once;
 * - each call was settled at most once;
 * - each accepted message reached the model's context exactly once (docs/concepts/engine.md#invariants).
 *
 * Call it when all sessions are idle. Resolves with the rows that violate a rule, by rule. All lists are empty if
 * there is no violation.
 */
export async function findViolations(sql: Pool): Promise<Record<string, unknown[]>> {
  return {
    'sessions whose log has gaps': await gaps(sql),
    'turns without exactly one terminal event': await turnsWithoutOneEnd(sql),
    'calls that were settled twice, or opened again': await resettled(sql),
    'messages that are not in the context exactly once': await unhandled(sql),
    'out-of-band messages that are lost, or injected twice': await misplaced(sql),
    'urgent out-of-band messages that wait for nothing': await withoutEffect(sql),
    'prompt windows whose tokens were miscounted': await miscounted(sql),
    'stored prompts that cannot be assembled': await unassemblable(sql)
  }
}

/** Returns true if nothing is left to do: no session has work or an owner, and no turn runs. */
export async function isServerIdle(sql: Pool): Promise<boolean> {
  const [row] = await sql<{ busy: boolean }[]>`
    select exists (select from heads where has_work > 0 or owner is not null or turn_id is not null) as busy`
  return row?.busy === false
}

/** Finds gaps. In a compacted log, missing chunks are no gaps, because the job that compacts runs every minute. */
const gaps = (sql: Pool) => sql`
  select h.session_key as key, h.seq, count(e.seq)::int as events from heads h left join events e on e.session_key = h.session_key
  where h.generation = 1 group by h.session_key having coalesce(max(e.seq), 0) <> h.seq
    or (count(e.seq) <> h.seq and not coalesce(bool_or(e.from_seq is not null), false))`

async function turnsWithoutOneEnd(sql: Pool) {
  const turns = await sql<{ id: string; ended: boolean; ends: number }[]>`
    select t.id, t.ended_at is not null as ended, (
      select count(*)::int from events e
      where e.session_key = t.session_key and e.type = 'status' and e.turn_id = t.id and e.payload -> 'outcome' is not null) as ends
    from turns t`
  return turns.filter(turn => turn.ends !== (turn.ended ? 1 : 0))
}

/** Finds calls by the sequence of states in their events. Repeated states (a warning, an extension) count once. */
async function resettled(sql: Pool) {
  const rows = await sql<{ key: number; call: Call }[]>`
    select session_key as key, payload -> 'call' as call from events where type = 'call' order by session_key, seq`
  const paths = new Map<string, string[]>()
  for (const { key, call } of rows) {
    const path = paths.get(`${key} ${call.toolCallId}`) ?? []
    if (path.at(-1) !== call.state) path.push(call.state)
    paths.set(`${key} ${call.toolCallId}`, path)
  }
  // An approved call can still fail when it runs. That is its result and not a second answer.
  const isValid = (path: string[]) =>
    path
      .slice(path[0] === 'open' ? 1 : 0)
      .join(' ')
      .match(/^(approved failed|\S*)$/)
  return [...paths].filter(([, path]) => !isValid(path) || path.includes('open', 1))
}

/**
 * Finds messages in the wrong place. A visible one must be in the inbox once and in no context, a delivered one in
 * the context once and not in the inbox, and all others in neither.
 */
const misplaced = (sql: Pool) => sql`
  select * from (
    select o.id, o.status,
      (select count(*)::int from inbox i where i.item_id = o.id and i.consumed_at is null) as waiting,
      (select count(*)::int from context c where c.session_key = o.session_key and c.kind = 'oob' and c.payload ->> 'id' = o.id) as injected
    from out_of_band o join sessions s on s.key = o.session_key where not s.external
  ) counts
  where (waiting, injected) <> case status when 'visible' then (1, 0) when 'injected' then (0, 1) when 'acknowledged' then (0, 1)
    else (0, 0) end`

/**
 * Finds urgent messages that had no effect. In an idle session, a critical one must have started a turn. From
 * priority `high` on, it must also have continued a step that waits for an answer
 * (docs/concepts/engine.md#out-of-band). Exceptions: a "continue?" question is open, or the message arrived when a
 * turn was stopped.
 */
/** Nothing starts on its own after a turn whose step kills workers, so urgent messages wait as well. */
const withoutEffect = (sql: Pool) => sql`
  select o.id, o.priority, o.status from out_of_band o join inbox i on i.item_id = o.id
  where i.consumed_at is null and i.payload ->> 'resting' = 'false' and (o.priority = 'critical' or o.priority = 'high' and exists (
    select from context n join calls c on c.context_id = n.id
    where n.id = (select max(id) from context where session_key = o.session_key) and n.kind = 'step' and c.result is null))
    and not exists (select from calls c where c.session_key = o.session_key and c.kind = 'limit' and c.state <> 'approved')
    and not exists (select from sessions s where s.key = o.session_key and s.error ->> 'code' = ${workerDied})
    and not exists (select from heads h where h.session_key = o.session_key and (h.has_work > 0 or h.owner is not null or h.turn_id is not null))`

/** A message behind a failed turn may wait in the inbox: a person decides when to retry. */
const unhandled = (sql: Pool) => sql`
  select m.session_key as key, m.id, count(c.id)::int as times from messages m join sessions s on s.key = m.session_key
  left join context c on c.session_key = m.session_key and c.kind = 'user' and c.message_id = m.id
  where m.role = 'user' and not s.external and not (s.status = 'failed' and exists (
    select from inbox i where i.session_key = m.session_key and i.message_id = m.id and i.consumed_at is null))
  group by m.session_key, m.id having count(c.id) <> 1`

const miscounted = (sql: Pool) => sql`
  select s.key, s.context_tokens as counted, coalesce(sum(c.tokens), 0)::int as tokens
  from sessions s left join context c on c.session_key = s.key and c.id > s.context_start
  group by s.key having s.context_tokens <> coalesce(sum(c.tokens), 0)`

/**
 * Finds stored prompts that cannot be assembled. The base of a prompt must be older, must exist and must be long
 * enough. Its instructions and tools must exist too.
 */
const unassemblable = (sql: Pool) => sql`
  select p.session_key, p.id, p.base from prompts p left join prompts b on b.session_key = p.session_key and b.id = p.base
  where (p.base is not null and (b.id is null or b.id >= p.id or b.messages < p.skipped + p.kept)) or (p.base is null and p.skipped + p.kept > 0)
    or p.messages <> p.kept + json_array_length(p.rest)
    or (select count(*) from prompt_parts q where q.session_key = p.session_key and q.digest in (p.instructions, p.tools)) <> 2`
