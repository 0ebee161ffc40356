import { eq } from 'drizzle-orm'
import { workspaces } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import { demand } from './scope.ts'
import type { GetWorkspace, Workspace } from './workspace.ts'

/** The workspace that the caller is in, for its owners. */
export async function getWorkspace(ctx: Ctx, _: GetWorkspace): Promise<Workspace> {
  demand(ctx.actor, 'own')
  const [workspace] = await ctx.db
    .select({ id: workspaces.id, name: workspaces.name, allowedOrigins: workspaces.allowedOrigins })
    .from(workspaces)
    .where(eq(workspaces.id, ctx.workspaceId))
  if (workspace === undefined) throw notFound('workspace', ctx.workspaceId)
  return workspace
}
