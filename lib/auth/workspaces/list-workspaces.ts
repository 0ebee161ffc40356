import type { Workspaces } from '@waystation/protocol/workspace/workspaces.ts'
import { asc, eq } from 'drizzle-orm'
import { members, workspaces } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Lists the workspaces that the caller can enter, including the current one. A key has only one. */
export async function listWorkspaces(ctx: Ctx): Promise<Workspaces> {
  const { actor, db } = ctx
  const query = db.select({ id: workspaces.id, name: workspaces.name }).from(workspaces)
  const rows =
    actor.kind === 'person'
      ? await query
          .innerJoin(members, eq(members.workspaceId, workspaces.id))
          .where(eq(members.userId, actor.userId))
          .orderBy(asc(members.createdAt))
      : await query.where(eq(workspaces.id, actor.workspaceId))
  return { workspaces: rows.map(row => ({ ...row, current: row.id === ctx.workspaceId })) }
}
