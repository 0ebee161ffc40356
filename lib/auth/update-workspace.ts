import { eq } from 'drizzle-orm'
import { workspaces } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import { demand } from './scope.ts'
import type { UpdateWorkspace, Workspace } from './workspace.ts'

/** Sets whose pages may use this workspace's session tokens. A page that may no longer is out with its next request. */
export async function updateWorkspace(ctx: Ctx, { allowedOrigins }: UpdateWorkspace): Promise<Workspace> {
  demand(ctx.actor, 'own')
  const [workspace] = await ctx.db
    .update(workspaces)
    .set({ allowedOrigins: [...new Set(allowedOrigins)] })
    .where(eq(workspaces.id, ctx.workspaceId))
    .returning({ id: workspaces.id, name: workspaces.name, allowedOrigins: workspaces.allowedOrigins })
  if (workspace === undefined) throw notFound('workspace', ctx.workspaceId)
  return workspace
}
