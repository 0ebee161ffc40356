import { asc, eq } from 'drizzle-orm'
import { members, workspaces } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

export type ListedWorkspace = { id: string; name: string; current: boolean }

/** The workspaces this caller may enter, the one they are in among them. A key has one. */
export async function listWorkspaces(ctx: Ctx): Promise<{ workspaces: ListedWorkspace[] }> {
  const { actor, db } = ctx
  const mine = db.select({ id: workspaces.id, name: workspaces.name }).from(workspaces)
  const rows =
    actor.kind === 'person'
      ? await mine
          .innerJoin(members, eq(members.workspaceId, workspaces.id))
          .where(eq(members.userId, actor.userId))
          .orderBy(asc(members.createdAt))
      : await mine.where(eq(workspaces.id, actor.workspaceId))
  return { workspaces: rows.map(row => ({ ...row, current: row.id === ctx.workspaceId })) }
}
