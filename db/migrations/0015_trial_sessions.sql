ALTER TABLE "sessions" ADD COLUMN "trial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "agent_revisions_snapshots" ON "agent_revisions" USING btree ("saved_at") WHERE revision < 0;--> statement-breakpoint
CREATE INDEX "sessions_of_trials" ON "sessions" USING btree ("workspace_id","agent_id","pinned_revision") WHERE trial or pinned_revision < 0;--> statement-breakpoint
-- A snapshot for trials has a number below zero. It never changes either, but can be deleted.
create or replace function keep_agent_revision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (old.revision < 0 or not exists (select from workspaces where id = old.workspace_id)) then
    return old;
  end if;
  raise exception 'Revision % of agent "%" never changes: publish another one.', old.revision, old.agent_id
    using errcode = 'restrict_violation';
end
$$;
