import type { Ctx } from '#lib/kernel/ctx.ts'
import type { HostedPlugin } from '#lib/kernel/ports/plugin-host.ts'

/** How long a turn waits for plugins that are starting, in milliseconds. */
const patience = 3000

/** The plugins of the workspace, once those that are starting had their time to say what they have. */
export async function hostedPlugins(ctx: Ctx): Promise<readonly HostedPlugin[]> {
  const host = ctx.ports.plugins
  if (host === undefined) return []
  await host.settled(ctx.workspaceId, patience)
  return host.of(ctx.workspaceId)
}
