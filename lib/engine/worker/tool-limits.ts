import type { Ctx } from '#lib/kernel/ctx.ts'
import { type ToolLimits, type ToolSettings, toolLimitsOf } from '#lib/protocol/call/tool-settings.ts'

/** What its workspace, as it is now, and its agent say of a session's calls and retries. */
export async function readToolLimits(
  ctx: Ctx,
  agent: { toolSettings?: ToolSettings | undefined } | undefined
): Promise<ToolLimits> {
  const [row] = await ctx.sql<{ settings: ToolSettings }[]>`
    select tool_settings as settings from workspaces where id = ${ctx.workspaceId}`
  return toolLimitsOf(row?.settings ?? {}, agent?.toolSettings)
}
