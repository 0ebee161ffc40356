import type { Pool } from '#db/client.ts'
import type { Call } from '#lib/protocol/call/call.ts'

/**
 * What must hold of every session of a database whatever happened to its workers, judged from what is stored alone:
 * the log has no gaps, each turn ended exactly once, each call was settled at most once, and each accepted message
 * reached the model's context exactly once (docs/concepts/engine.md#invariants). For sessions that are at rest. Resolves
 * with the rows that say otherwise, by what they say; none of them when all is sound.
 */
export async function findUnsound(sql: Pool): Promise<Record<string, unknown[]>> {
  return {
    'sessions whose log has gaps': await gaps(sql),
    'turns without exactly one terminal event': await turnEnds(sql),
    'calls that were settled twice, or opened again': await resettled(sql),
    'messages that are not in the context exactly once': await unhandled(sql),
    'out-of-band messages that are lost, or told twice': await mistold(sql),
    'urgent out-of-band messages that wait for nothing': await unhurried(sql),
    'prompt windows whose tokens were miscounted': await miscounted(sql),
    'kept prompts that cannot be put together': await broken(sql)
  }
}

/** Nothing is left to do: no session has work or an owner, no turn runs. */
export async function atRest(sql: Pool): Promise<boolean> {
  const [row] = await sql<{ busy: boolean }[]>`
    select exists (select from heads where has_work > 0 or owner is not null or turn_id is not null) as busy`
  return row?.busy === false
}

/** A log that was compacted has gaps where chunks were: the minute's job may have come by. */
const gaps = (sql: Pool) => sql`
  select h.session_key as key, h.seq, count(e.seq)::int as events from heads h left join events e on e.session_key = h.session_key
  where h.generation = 1 group by h.session_key having coalesce(max(e.seq), 0) <> h.seq
    or (count(e.seq) <> h.seq and not coalesce(bool_or(e.from_seq is not null), false))`

async function turnEnds(sql: Pool) {
  const turns = await sql<{ id: string; ended: boolean; ends: number }[]>`
    select t.id, t.ended_at is not null as ended, (
      select count(*)::int from events e
      where e.session_key = t.session_key and e.type = 'status' and e.turn_id = t.id and e.payload -> 'outcome' is not null) as ends
    from turns t`
  return turns.filter(turn => turn.ends !== (turn.ended ? 1 : 0))
}

/** The states a call went through, as its events tell it; repeated ones (a warning, an extension) are one. */
async function resettled(sql: Pool) {
  const rows = await sql<{ key: number; call: Call }[]>`
    select session_key as key, payload -> 'call' as call from events where type = 'call' order by session_key, seq`
  const paths = new Map<string, string[]>()
  for (const { key, call } of rows) {
    const path = paths.get(`${key} ${call.toolCallId}`) ?? []
    if (path.at(-1) !== call.state) path.push(call.state)
    paths.set(`${key} ${call.toolCallId}`, path)
  }
  // What was approved may still fail when it runs: that is what came of it, not a second answer.
  const fine = (path: string[]) =>
    path
      .slice(path[0] === 'open' ? 1 : 0)
      .join(' ')
      .match(/^(approved failed|\S*)$/)
  return [...paths].filter(([, path]) => !fine(path) || path.includes('open', 1))
}

/** What waits is in the inbox once and in no context, what was told the other way round, the rest nowhere. */
const mistold = (sql: Pool) => sql`
  select * from (
    select o.id, o.status,
      (select count(*)::int from inbox i where i.item_id = o.id and i.consumed_at is null) as waiting,
      (select count(*)::int from context c where c.session_key = o.session_key and c.kind = 'oob' and c.payload ->> 'id' = o.id) as told
    from out_of_band o join sessions s on s.key = o.session_key where not s.external
  ) found
  where (waiting, told) <> case status when 'visible' then (1, 0) when 'injected' then (0, 1) when 'acknowledged' then (0, 1)
    else (0, 0) end`

/**
 * At rest a critical one has started a turn, and from `high` on one has gone on where the newest step waits for somebody
 * (docs/concepts/engine.md#out-of-band): unless "continue?" stands, or it came with the stop of a turn.
 */
const unhurried = (sql: Pool) => sql`
  select o.id, o.priority, o.status from out_of_band o join inbox i on i.item_id = o.id
  where i.consumed_at is null and i.payload ->> 'resting' = 'false' and (o.priority = 'critical' or o.priority = 'high' and exists (
    select from context n join calls c on c.context_id = n.id
    where n.id = (select max(id) from context where session_key = o.session_key) and n.kind = 'step' and c.result is null))
    and not exists (select from calls c where c.session_key = o.session_key and c.kind = 'limit' and c.state <> 'approved')
    and not exists (select from heads h where h.session_key = o.session_key and (h.has_work > 0 or h.owner is not null or h.turn_id is not null))`

const unhandled = (sql: Pool) => sql`
  select m.session_key as key, m.id, count(c.id)::int as times from messages m
  left join context c on c.session_key = m.session_key and c.kind = 'user' and c.message_id = m.id
  where m.role = 'user' and not exists (select from sessions s where s.key = m.session_key and s.external) group by m.session_key, m.id having count(c.id) <> 1`

const miscounted = (sql: Pool) => sql`
  select s.key, s.context_tokens as counted, coalesce(sum(c.tokens), 0)::int as tokens
  from sessions s left join context c on c.session_key = s.key and c.id > s.context_start
  group by s.key having s.context_tokens <> coalesce(sum(c.tokens), 0)`

/** What a kept prompt leans on is older and there, and reaches as far as it is leant on; so are its instructions and tools. */
const broken = (sql: Pool) => sql`
  select p.session_key, p.id, p.base from prompts p left join prompts b on b.session_key = p.session_key and b.id = p.base
  where (p.base is not null and (b.id is null or b.id >= p.id or b.messages < p.skipped + p.kept)) or (p.base is null and p.skipped + p.kept > 0)
    or p.messages <> p.kept + json_array_length(p.rest)
    or (select count(*) from prompt_parts q where q.session_key = p.session_key and q.digest in (p.instructions, p.tools)) <> 2`
