-- Converts a database of version 0.1, with all of its 58 migrations, to migrations/0000_baseline.sql. Processes of version 0.1
-- do not work on the result.
drop function receive_replies(json, boolean);
drop function place_replies(json, boolean);
drop function callback_place(bigint, integer);
alter table compactions
  drop column turn_id,
  drop column message_id,
  drop column from_id,
  drop column tokens,
  drop column summary_before,
  drop column summary,
  drop column put_back_at;
alter table heads rename column owed to has_work;
alter index heads_owed rename to heads_has_work;
alter table turns rename column deaths to crashes;
alter table workers rename column beat_at to heartbeat_at;
-- Postgres 18 names these constraints; older versions have none.
do $$
declare old record;
begin
  for old in
    select conrelid::regclass as belongs, conname, renamed from pg_constraint join (values
      ('heads_owed_not_null', 'heads_has_work_not_null'),
      ('turns_deaths_not_null', 'turns_crashes_not_null'),
      ('workers_beat_at_not_null', 'workers_heartbeat_at_not_null')
    ) as names (name, renamed) on conname = name
  loop
    execute format('alter table %s rename constraint %I to %I', old.belongs, old.conname, old.renamed);
  end loop;
end
$$;
create or replace function take_session(
  session bigint, worker text, newest_format integer, dead_after double precision, adopting boolean
) returns table (epoch integer, claims boolean) language plpgsql volatile as $$
begin
  if not adopting then
    set local synchronous_commit = off;
  end if;
  perform from heads where session_key = session for update;
  return query
    update heads h set owner = worker, epoch = h.epoch + 1, has_work = 1
    where h.session_key = session and h.format <= newest_format and (adopting or h.has_work > 0)
      and exists (select from workers w where w.id = worker)
      and not exists (select from workers w where w.id = h.owner
        and w.heartbeat_at > clock_timestamp() - make_interval(secs => dead_after))
    returning h.epoch, exists (
      select from calls c where c.session_key = session and c.result is null and c.claimed_epoch is not null);
end
$$;
