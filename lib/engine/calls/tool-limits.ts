import { type ToolLimits, type ToolSettings, toolLimitsOf } from '@waystation/protocol/call/tool-settings.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the limits for a session's calls and retries, from the current settings of the workspace and the
 * agent's settings.
 */
export async function readToolLimits(
  ctx: Ctx,
  agent: { toolSettings?: ToolSettings | undefined } | undefined
): Promise<ToolLimits> {
  const [row] = await ctx.sql<{ settings: ToolSettings }[]>`
    select tool_settings as settings from workspaces where id = ${ctx.workspaceId}`
  return toolLimitsOf(row?.settings ?? {}, agent?.toolSettings)
}
