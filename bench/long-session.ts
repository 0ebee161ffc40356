import type { Stage } from './stage.ts'

/**
 * Characters of a typical user message, of an answer, and of a tool result such as a web page or a query result.
 */
const sizes = { questions: 200, answers: 900, result: 1500 }
/**
 * Tokens in the default context window just before compaction (80 % of 120,000). This is the longest prompt
 * possible.
 */
const windowTokens = 94_000

/**
 * Creates a session with a history of `messages` messages, in which every eighth answer called a tool. It stores
 * the rows that the engine would leave: folded messages, context, compacted events, consumed items and settled
 * calls. It writes to the database directly, because 10,000 real turns would take a quarter of an hour. The context
 * window starts where it would after such a history. Each message has `eventsPerMessage` events: itself, and statuses.
 */
export async function longSession(
  stage: Pick<Stage, 'sql'> & { session(): Promise<string> },
  messages: number,
  eventsPerMessage = 1
): Promise<string> {
  const { sql } = stage
  const sessionId = await stage.session()
  const [session] = await sql<{ key: number }[]>`select key from sessions where id = ${sessionId}`
  const key = session?.key ?? 0
  const textOfLength = (length: number) =>
    'one plain word after another '.repeat(Math.ceil(length / 29)).slice(0, length)
  const questionParts = [{ type: 'text', text: textOfLength(sizes.questions) }]
  const answerParts = [{ type: 'text', text: textOfLength(sizes.answers) }]
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
          'parts', case role when 'u' then ${questionParts}::jsonb else ${answerParts}::jsonb end),
        ${eventsPerMessage}::int * (2 * n - case role when 'u' then 1 else 0 end), true, now(), now()
      from generate_series(1, ${turns}::int) n, unnest(array['u', 'a']) role`
    await tx`
      insert into events (session_key, seq, type, message_id, payload, at)
      select session_key, folded_seq, 'message', id, json_build_object('message', message), now() from messages where session_key = ${key}`
    await tx`
      insert into events (session_key, seq, type, payload, at)
      select ${key}, seq, 'status', '{"status":"running"}', now() from generate_series(1, ${messages * eventsPerMessage}::int) seq
      where seq % ${eventsPerMessage}::int <> 0`
    await tx`
      insert into inbox (session_key, item_id, kind, mode, message_id, payload, consumed_at)
      select ${key}, 'item_' || ${key} || '_' || n, 'message', 'start', 'u' || n, '{}', now() from generate_series(1, ${turns}::int) n`
    await tx`
      insert into context (session_key, kind, turn_id, message_id, payload, tokens)
      select ${key}, kind, 'turn_' || ${key} || '_' || n, case kind when 'user' then 'u' else 'a' end || n,
        case when kind = 'user' then jsonb_build_object('parts', ${questionParts}::jsonb)
          when n % 8 = 0 then jsonb_build_object('callIds', jsonb_build_array('call_' || n), 'content',
            ${answerParts}::jsonb || jsonb_build_object('type', 'tool-call', 'toolCallId', 'call_' || n, 'toolName', 'web-fetch', 'input', '{}'::jsonb))
          else jsonb_build_object('callIds', '[]'::jsonb, 'content', ${answerParts}::jsonb) end,
        case kind when 'user' then ${sizes.questions}::int / 4 else (${sizes.answers}::int + case when n % 8 = 0 then ${sizes.result}::int else 0 end) / 4 end
      from generate_series(1, ${turns}::int) n, unnest(array['user', 'step']) with ordinality as k(kind, nth) order by n, nth`
    await tx`
      insert into calls (session_key, tool_call_id, workspace_id, generation, tool_name, kind, "where", message_id, turn_id,
        context_id, input, since, deadline, on_deadline, state, result, settled_at)
      select ${key}, payload -> 'callIds' ->> 0, 'default', 1, 'web-fetch', 'server', 'server', message_id, turn_id, id, '{}',
        now(), now() + interval '1 day', 'error', 'answered',
        jsonb_build_object('type', 'output', 'value', ${textOfLength(sizes.result)}::text), now()
      from context where session_key = ${key} and kind = 'step' and payload -> 'callIds' <> '[]'`
    await tx`update heads set seq = ${messages * eventsPerMessage} where session_key = ${key}`
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
