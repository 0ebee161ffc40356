import { notFound } from '@waystation/base/api-error.ts'
import type { GetWorkspace, Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { eq } from 'drizzle-orm'
import { workspaces } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'

/** Returns the caller's workspace. Only owners can call it. */
export async function getWorkspace(ctx: Ctx, _: GetWorkspace): Promise<Workspace> {
  demand(ctx.actor, 'own')
  const [workspace] = await ctx.db
    .select({
      id: workspaces.id,
      name: workspaces.name,
      allowedOrigins: workspaces.allowedOrigins,
      spendCaps: workspaces.spendCaps,
      toolRules: workspaces.toolRules,
      toolSettings: workspaces.toolSettings,
      outOfBand: workspaces.outOfBand,
      retentionDays: workspaces.retentionDays,
      buildKit: workspaces.buildKit,
      defaultModel: workspaces.defaultModel
    })
    .from(workspaces)
    .where(eq(workspaces.id, ctx.workspaceId))
  if (workspace === undefined) throw notFound('workspace', ctx.workspaceId)
  const { sessionPerDay = null, subjectPerDay = null, workspacePerMonth = null } = workspace.spendCaps
  return {
    ...workspace,
    spendCaps: { sessionPerDay, subjectPerDay, workspacePerMonth },
    spent: await spentBy(ctx)
  }
}

/** Returns the spending of the workspace's sessions in the current UTC day and month, in US dollars. */
async function spentBy(ctx: Ctx): Promise<Workspace['spent']> {
  const [spent] = await ctx.sql<Workspace['spent'][]>`
    select coalesce(sum(usd) filter (where day = now::date), 0) as today, coalesce(sum(usd), 0) as this_month
    from spending, (select clock_timestamp() at time zone 'UTC' as now) n
    where workspace_id = ${ctx.workspaceId} and day >= date_trunc('month', now)::date and day <= now::date`
  return spent ?? { today: 0, thisMonth: 0 }
}
