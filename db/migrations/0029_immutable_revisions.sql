-- A revision says for ever what an agent was at that time: sessions are pinned to it, turns name it, and restoring it makes
-- another. It goes only with its workspace: once that is gone, its rows may be removed.
create function keep_agent_revision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from workspaces where id = old.workspace_id) then
    return old;
  end if;
  raise exception 'Revision % of agent "%" never changes: publish another one.', old.revision, old.agent_id
    using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger agent_revisions_stay before update or delete on agent_revisions
  for each row execute function keep_agent_revision();
