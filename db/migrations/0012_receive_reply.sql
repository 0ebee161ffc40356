CREATE INDEX "messages_open" ON "messages" USING btree ("session_key") WHERE role = 'assistant' and not done;
--> statement-breakpoint
-- Puts whole replies of external agents into their sessions, one for each session (lib/sessions/replies.ts): one trip to
-- the database and one commit for all that came in one moment. Like a turn's chunks, they go to the sessions
-- whose heads can be had: first the locks, in the order of their keys, then the judgement in a statement with a snapshot of
-- its own. `waiting`: wait for the locks; used with one reply alone. What came of each:
--   placed   the message is there
--   known    this key was answered before: the digest of what was said then, and its receipt
--   writing  a reply that comes in pieces is being written and must be ended first; nothing was done
--   gone     the session was deleted, or lives again (`life` is its generation)
--   (no row) somebody else holds its head
-- Older processes go on calling this function: what it does is changed under a new name.
create function receive_replies(replies json, waiting boolean)
returns table (n integer, outcome text, digest text, receipt text) language plpgsql volatile as $$
#variable_conflict use_column
declare
  held bigint[];
begin
  if waiting then
    select array_agg(session_key) into held from (
      select session_key from heads where session_key in (
        select session from json_to_recordset(replies) as said(session bigint)) order by session_key for update
    ) locked;
  else
    select array_agg(session_key) into held from (
      select session_key from heads where session_key in (
        select session from json_to_recordset(replies) as said(session bigint)) order by session_key
        for update skip locked
    ) locked;
  end if;
  return query
  with said as materialized (
    select * from json_to_recordset(replies) as said(n integer, session bigint, life integer, key text, digest text,
      receipt jsonb, id text, message jsonb, snippet text, agent text, credential text)
    where session = any (held)
  ), judged as materialized (
    select said.*, s.id as session_id, s.workspace_id, r.digest as known_digest, r.receipt::text as known_receipt,
      case
        when s.key is null then 'gone'
        when r.key is not null then 'known'
        when exists (select from messages
          where session_key = said.session and role = 'assistant' and not done) then 'writing'
        else 'placed'
      end as outcome
    from said
      left join heads h on h.session_key = said.session and h.generation = said.life
      left join sessions s on s.key = h.session_key and s.deleted_at is null
      left join receipts r on r.session_key = said.session and r.generation = said.life and r.verb = 'callback'
        and r.key = said.key
  ), moved as (
    update heads h set seq = h.seq + 1 from judged where outcome = 'placed' and h.session_key = judged.session
    returning h.session_key, h.seq
  ), placed as materialized (
    select judged.*, moved.seq, clock_timestamp() as at from judged join moved on moved.session_key = judged.session
  ), shown as (
    insert into events (session_key, seq, type, message_id, payload, at)
    select session, seq, 'message', id, json_build_object('message', message), at from placed
  ), kept as (
    insert into messages (session_key, id, pos, role, message, folded_seq, done, done_at)
    select session, id, seq, 'assistant', message, seq, true, at from placed
  ), listed as (
    -- The list's order is true to the second: a busy session's row is then changed without touching its indexes.
    update sessions s set snippet = placed.snippet, active_at =
      case when s.active_at < placed.at - interval '1 second' then placed.at else s.active_at end
    from placed where s.key = placed.session
  ), answered as (
    insert into receipts (session_key, generation, verb, key, digest, receipt)
    select session, life, 'callback', key, digest, receipt from placed where key is not null
  ), noted as (
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
    select workspace_id, session_id, 'message.injected', agent, credential, id, at from placed
  )
  select n, outcome, known_digest, known_receipt from judged;
end
$$;
