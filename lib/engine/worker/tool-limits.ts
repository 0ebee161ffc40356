import type { Ctx } from '#lib/kernel/ctx.ts'
import { paceOf, type ToolPace, type ToolSettings } from '#lib/protocol/call/tool-settings.ts'

/** What its workspace, as it is now, and its agent say of a session's calls and retries. */
export async function readPace(
  ctx: Ctx,
  agent: { toolSettings?: ToolSettings | undefined } | undefined
): Promise<ToolPace> {
  const [row] = await ctx.sql<{ settings: ToolSettings }[]>`
    select tool_settings as settings from workspaces where id = ${ctx.workspaceId}`
  return paceOf(row?.settings ?? {}, agent?.toolSettings)
}
