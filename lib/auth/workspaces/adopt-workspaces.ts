import { defaultWorkspaceId } from '@waystation/protocol/workspace/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Makes the owners of the default workspace owners of each workspace of a file that has no owner. */
export async function adoptWorkspaces({ sql }: Pick<Ctx, 'sql'>): Promise<void> {
  await sql`
    insert into members (workspace_id, user_id, role, created_at)
    select w.id, m.user_id, 'owner', clock_timestamp() from workspaces w
    join members m on m.workspace_id = ${defaultWorkspaceId} and m.role = 'owner'
    where w.in_file and w.deleted_at is null and not exists (
      select from members o where o.workspace_id = w.id and o.role = 'owner')
    on conflict (workspace_id, user_id) do update set role = 'owner'`
}
