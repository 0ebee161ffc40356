import type postgres from 'postgres'
import { expect } from 'vitest'
import type { Call } from '#lib/protocol/call.ts'
import type { StatusEvent } from '#lib/protocol/event.ts'

/**
 * What must hold of every session of a database whatever happened to its workers, judged from what is stored alone:
 * the log has no gaps, each turn ended exactly once, each call was settled at most once, and each accepted message
 * reached the model's context exactly once (design 2). For sessions that are at rest and were never compacted.
 */
export async function expectSoundSessions(sql: postgres.Sql): Promise<void> {
  expect(await gaps(sql), 'sessions whose log has gaps').toEqual([])
  expect(await turnEnds(sql), 'turns without exactly one terminal event').toEqual([])
  expect(await resettled(sql), 'calls that were settled twice, or opened again').toEqual([])
  expect(await unhandled(sql), 'messages that are not in the context exactly once').toEqual([])
  expect(await miscounted(sql), 'prompt windows whose tokens were miscounted').toEqual([])
}

/** Nothing is left to do: no session is owed or owned, no turn runs. */
export async function atRest(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ busy: boolean }[]>`
    select exists (select from heads where owed > 0 or owner is not null or turn_id is not null) as busy`
  return row?.busy === false
}

const gaps = (sql: postgres.Sql) => sql`
  select h.session_key as key, h.seq, count(e.seq)::int as events from heads h left join events e on e.session_key = h.session_key
  where h.generation = 1 group by h.session_key having count(e.seq) <> h.seq or coalesce(max(e.seq), 0) <> h.seq`

async function turnEnds(sql: postgres.Sql) {
  const turns = await sql<{ id: string; ended: boolean; ends: number }[]>`
    select t.id, t.ended_at is not null as ended, (
      select count(*)::int from events e
      where e.session_key = t.session_key and e.type = 'status' and e.turn_id = t.id and e.payload -> 'outcome' is not null) as ends
    from turns t`
  return turns.filter(turn => turn.ends !== (turn.ended ? 1 : 0))
}

/** The states a call went through, as its events tell it; repeated ones (a warning, an extension) are one. */
async function resettled(sql: postgres.Sql) {
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

const unhandled = (sql: postgres.Sql) => sql`
  select m.session_key as key, m.id, count(c.id)::int as times from messages m
  left join context c on c.session_key = m.session_key and c.kind = 'user' and c.message_id = m.id
  where m.role = 'user' and not exists (select from sessions s where s.key = m.session_key and s.external) group by m.session_key, m.id having count(c.id) <> 1`

const miscounted = (sql: postgres.Sql) => sql`
  select s.key, s.context_tokens as counted, coalesce(sum(c.tokens), 0)::int as tokens
  from sessions s left join context c on c.session_key = s.key and c.id > s.context_start
  group by s.key having s.context_tokens <> coalesce(sum(c.tokens), 0)`

/** The terminal events of a session, oldest first. */
export const endsOf = (events: readonly { type: string }[]): StatusEvent[] =>
  (events as StatusEvent[]).filter(event => event.type === 'status' && event.outcome !== undefined)
