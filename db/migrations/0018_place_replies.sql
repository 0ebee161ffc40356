-- Where a reply may go (lib/sessions/callback-places.ts): one life of one session of an external agent; no row when it is
-- not there. `sealed`: the secrets its agent signs with (at most five, the newest first). `stamp`: everything a callback
-- was admitted by; a process that remembers it has it judged again with the reply.
create function callback_place(of_session bigint, of_life integer)
returns table (workspace_id text, session_id text, agent_id text, agent_name text, sealed text, stamp text)
language sql stable as $$
  select workspace_id, session_id, agent_id, agent_name, sealed, md5(concat_ws(E'\n', link_secret, agent_name, sealed))
  from (
    select s.workspace_id, s.id as session_id, s.agent_id, w.link_secret,
      coalesce(a.config ->> 'displayName', s.agent_id) as agent_name,
      coalesce((
        select json_agg(newest) from (
          select id, sealed from signing_secrets
          where workspace_id = s.workspace_id and owner = 'agent:' || s.agent_id
            and (retires_at is null or retires_at > clock_timestamp())
          order by created_at desc limit 5
        ) newest), '[]')::text as sealed
    from sessions s
      join heads h on h.session_key = s.key
      join workspaces w on w.id = s.workspace_id
      left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
    where s.key = of_session and h.generation = of_life and s.external and s.deleted_at is null
  ) place
$$;
--> statement-breakpoint
-- `receive_replies` (0012, which older processes go on calling), and one more thing that can come of a reply:
--   stale    what it was admitted by (`stamp`; null: that was looked up just now) has changed; nothing was done
create function place_replies(replies json, waiting boolean)
returns table (n integer, outcome text, digest text, receipt text) language plpgsql volatile
set plan_cache_mode = force_generic_plan as $$
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
    select * from json_to_recordset(replies) as said(n integer, session bigint, life integer, stamp text, key text,
      digest text, receipt jsonb, id text, message jsonb, snippet text, agent text, credential text)
    where session = any (held)
  ), judged as materialized (
    select said.*, place.session_id, place.workspace_id, r.digest as known_digest, r.receipt::text as known_receipt,
      case
        when place.session_id is null then 'gone'
        when said.stamp <> place.stamp then 'stale'
        when r.key is not null then 'known'
        when exists (select from messages
          where session_key = said.session and role = 'assistant' and not done) then 'writing'
        else 'placed'
      end as outcome
    from said
      left join lateral callback_place(said.session, said.life) place on true
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
