import type { HostedPlugin } from '@waystation/plugin-host/contract.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** How long a turn waits for plugins that are starting, in milliseconds. */
const maxWaitMs = 3000

/** Returns the workspace's plugins. Waits for plugins that are starting. */
export async function hostedPlugins(ctx: Ctx): Promise<readonly HostedPlugin[]> {
  const host = ctx.ports.plugins
  if (host === undefined) return []
  await host.settled(ctx.workspaceId, maxWaitMs)
  return host.of(ctx.workspaceId)
}
