import { adoptWorkspaces } from '#lib/auth/workspaces/adopt-workspaces.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/** The only user of local mode, an owner of the default workspace. */
export const localOwner = { id: 'local-owner', name: 'Local owner' }

/** Creates the local owner and makes them an owner of the default workspace, unless they already are. */
export async function makeLocalOwner(): Promise<void> {
  const { sql } = runtime()
  const { id, name } = localOwner
  await sql`insert into users (id, name) values (${id}, ${name}) on conflict do nothing`
  await sql`
    insert into members (workspace_id, user_id, role) values ('default', ${id}, 'owner') on conflict do nothing`
  await adoptWorkspaces({ sql })
}
