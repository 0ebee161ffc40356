import type { Stage } from './stage.ts'

/** A person's message and an answer of usual length, in characters; a tool's result as a web page or a query gives it. */
const sizes = { asked: 200, answered: 900, result: 1500 }
/** How many tokens the default window holds when it is about to move (80 % of 120,000): the longest prompt there is. */
const windowTokens = 94_000

/**
 * A session with a past: this many messages, of which every eighth answer called a tool, stored the way the engine
 * leaves them (folded messages, context, compacted events, consumed items, settled calls). Written straight into the
 * database, since 10,000 real turns would take a quarter of an hour. The window starts where it does after such a past.
 */
export async function longSession(
  stage: Pick<Stage, 'sql'> & { session(): Promise<string> },
  messages: number
): Promise<string> {
  const { sql } = stage
  const sessionId = await stage.session()
  const [session] = await sql<{ key: number }[]>`select key from sessions where id = ${sessionId}`
  const key = session?.key ?? 0
  const words = (length: number) =>
    'one plain word after another '.repeat(Math.ceil(length / 29)).slice(0, length)
  const asked = [{ type: 'text', text: words(sizes.asked) }]
  const answered = [{ type: 'text', text: words(sizes.answered) }]
  const turns = messages / 2

  await sql.begin(async tx => {
    await tx`
      insert into turns (id, session_key, started_at, ended_at, outcome, begun, committed, message_id)
      select 'turn_' || ${key} || '_' || n, ${key}, now() - make_interval(mins => ${turns} - n + 1), now(), 'done', 1, 1, 'a' || n
      from generate_series(1, ${turns}::int) n`
    await tx`
      insert into messages (session_key, id, pos, role, message, folded_seq, done, done_at, compacted_at)
      select ${key}, role || n, 2 * n - case role when 'u' then 1 else 0 end, case role when 'u' then 'user' else 'assistant' end,
        jsonb_build_object('id', role || n, 'role', case role when 'u' then 'user' else 'assistant' end,
          'metadata', jsonb_build_object('createdAt', now()),
          'parts', case role when 'u' then ${asked}::jsonb else ${answered}::jsonb end),
        2 * n, true, now(), now()
      from generate_series(1, ${turns}::int) n, unnest(array['u', 'a']) role`
    await tx`
      insert into events (session_key, seq, type, message_id, payload, at)
      select session_key, pos, 'message', id, json_build_object('message', message), now() from messages where session_key = ${key}`
    await tx`
      insert into inbox (session_key, item_id, kind, mode, message_id, payload, consumed_at)
      select ${key}, 'item_' || ${key} || '_' || n, 'message', 'start', 'u' || n, '{}', now() from generate_series(1, ${turns}::int) n`
    await tx`
      insert into context (session_key, kind, turn_id, message_id, payload, tokens)
      select ${key}, kind, 'turn_' || ${key} || '_' || n, case kind when 'user' then 'u' else 'a' end || n,
        case when kind = 'user' then jsonb_build_object('parts', ${asked}::jsonb)
          when n % 8 = 0 then jsonb_build_object('callIds', jsonb_build_array('call_' || n), 'content',
            ${answered}::jsonb || jsonb_build_object('type', 'tool-call', 'toolCallId', 'call_' || n, 'toolName', 'web-fetch', 'input', '{}'::jsonb))
          else jsonb_build_object('callIds', '[]'::jsonb, 'content', ${answered}::jsonb) end,
        case kind when 'user' then ${sizes.asked}::int / 4 else (${sizes.answered}::int + case when n % 8 = 0 then ${sizes.result}::int else 0 end) / 4 end
      from generate_series(1, ${turns}::int) n, unnest(array['user', 'step']) with ordinality as k(kind, nth) order by n, nth`
    await tx`
      insert into calls (session_key, tool_call_id, workspace_id, generation, tool_name, kind, "where", message_id, turn_id,
        context_id, input, since, deadline, on_deadline, state, result, settled_at)
      select ${key}, payload -> 'callIds' ->> 0, 'default', 1, 'web-fetch', 'server', 'server', message_id, turn_id, id, '{}',
        now(), now() + interval '1 day', 'error', 'answered',
        jsonb_build_object('type', 'output', 'value', ${words(sizes.result)}::text), now()
      from context where session_key = ${key} and kind = 'step' and payload -> 'callIds' <> '[]'`
    await tx`update heads set seq = ${messages} where session_key = ${key}`
    await tx`
      update sessions set title = 'Long', context_start = coalesce((
        select max(id) from (
          select id, kind, sum(tokens) over (order by id desc) as behind from context where session_key = ${key}) c
        where behind > ${windowTokens} and kind = 'step'), 0)
      where key = ${key}`
    await tx`
      update sessions s set context_tokens = (
        select sum(tokens) from context where session_key = ${key} and id > s.context_start)
      where key = ${key}`
  })
  return sessionId
}
