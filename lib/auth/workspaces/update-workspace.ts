import { notFound } from '@waystation/base/api-error.ts'
import type { UpdateWorkspace, Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { eq } from 'drizzle-orm'
import { workspaces } from '#db/schema/workspaces.ts'
import { inTransaction } from '#db/transaction.ts'
import { checkPatterns } from '#lib/kernel/check-patterns.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { demand } from '#lib/kernel/scope.ts'
import { getWorkspace } from './get-workspace.ts'

/**
 * Changes a workspace's name or settings. Absent fields keep their value. The changes apply:
 * - allowed origins: from a page's next request on
 * - spending caps: before a session's next step
 * - tool rules and tool settings: from the next step on
 * - the build kit: for sessions that start later
 * - the default model: from the next step on
 * - a shorter retention: within a minute, when older sessions are deleted
 */
export async function updateWorkspace(ctx: Ctx, changes: UpdateWorkspace): Promise<Workspace> {
  demand(ctx.actor, 'own')
  const { name, allowedOrigins, spendCaps, toolRules, toolSettings, outOfBand, retentionDays } = changes
  const { buildKit, defaultModel } = changes
  if (toolRules !== undefined) await checkPatterns(ctx, toolRules)
  const set = {
    ...(name !== undefined && { name }),
    ...(allowedOrigins && { allowedOrigins: [...new Set(allowedOrigins)] }),
    ...(spendCaps && {
      spendCaps: Object.fromEntries(Object.entries(spendCaps).filter(([, cap]) => cap != null))
    }),
    ...(toolRules !== undefined && { toolRules }),
    ...(toolSettings !== undefined && { toolSettings }),
    ...(outOfBand !== undefined && { outOfBand }),
    ...(retentionDays !== undefined && { retentionDays }),
    ...(buildKit !== undefined && { buildKit }),
    ...(defaultModel !== undefined && { defaultModel })
  }
  if (Object.keys(set).length > 0) {
    await inTransaction(ctx, async tx => {
      const [changed] = await tx.db
        .update(workspaces)
        .set(set)
        .where(eq(workspaces.id, tx.workspaceId))
        .returning({ id: workspaces.id })
      if (changed === undefined) throw notFound('workspace', tx.workspaceId)
      if (name !== undefined) await recordChange(tx, 'workspace.renamed')
    })
  }
  return getWorkspace(ctx, {})
}
