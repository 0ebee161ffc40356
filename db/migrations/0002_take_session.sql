-- Takes a session for a worker, if something is owed to it and nobody alive has it: first the lock,
-- then the judgement. Each statement of a volatile function sees what was committed before it began; a single statement
-- would judge the row as it was before it waited for the lock. `claims`: an owner before it left calls claimed and
-- without a result. `adopting`: the caller's transaction puts something in, so it is owed by that, and its commit must
-- last; otherwise see lib/sessions/wake.ts for why it need not. Older processes go on calling this function: what it
-- does is changed under a new name.
create function take_session(
  session bigint, worker text, newest_format integer, dead_after double precision, adopting boolean
) returns table (epoch integer, claims boolean) language plpgsql volatile as $$
begin
  if not adopting then
    set local synchronous_commit = off;
  end if;
  perform from heads where session_key = session for update;
  return query
    update heads h set owner = worker, epoch = h.epoch + 1, owed = 1
    where h.session_key = session and h.format <= newest_format and (adopting or h.owed > 0)
      and exists (select from workers w where w.id = worker)
      and not exists (select from workers w where w.id = h.owner
        and w.beat_at > clock_timestamp() - make_interval(secs => dead_after))
    returning h.epoch, exists (
      select from calls c where c.session_key = session and c.result is null and c.claimed_epoch is not null);
end
$$;
