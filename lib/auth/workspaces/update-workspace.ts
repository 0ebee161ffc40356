import { eq } from 'drizzle-orm'
import { workspaces } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import { demand } from '#lib/kernel/scope.ts'
import { getWorkspace } from './get-workspace.ts'
import { checkPatterns } from './tool-rules.ts'
import type { UpdateWorkspace, Workspace } from './workspace.ts'

/**
 * Sets whose pages may use this workspace's session tokens, what its sessions may spend, which of
 * their calls are denied, allowed or asked about, how long these may run and how failed model calls are tried again, and how
 * long sessions are kept; what is not named stays. A page that may no longer is out with its next request, a session that may no longer before its next
 * step; rules and
 * settings of tools hold from the next step on; what is past a shorter retention is removed from the next minute on.
 */
export async function updateWorkspace(ctx: Ctx, changes: UpdateWorkspace): Promise<Workspace> {
  demand(ctx.actor, 'own')
  const { allowedOrigins, spendCaps, toolRules, toolSettings, outOfBand, retentionDays } = changes
  if (toolRules !== undefined) await checkPatterns(ctx, toolRules)
  const set = {
    ...(allowedOrigins && { allowedOrigins: [...new Set(allowedOrigins)] }),
    ...(spendCaps && {
      spendCaps: Object.fromEntries(Object.entries(spendCaps).filter(([, cap]) => cap != null))
    }),
    ...(toolRules !== undefined && { toolRules }),
    ...(toolSettings !== undefined && { toolSettings }),
    ...(outOfBand !== undefined && { outOfBand }),
    ...(retentionDays !== undefined && { retentionDays })
  }
  if (Object.keys(set).length > 0) {
    const [changed] = await ctx.db
      .update(workspaces)
      .set(set)
      .where(eq(workspaces.id, ctx.workspaceId))
      .returning({ id: workspaces.id })
    if (changed === undefined) throw notFound('workspace', ctx.workspaceId)
  }
  return getWorkspace(ctx, {})
}
