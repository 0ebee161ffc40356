import type { Ctx } from '#lib/kernel/ctx.ts'
import type { HostedPlugin } from '#lib/kernel/ports/plugin-host.ts'
import { notFound } from '#lib/kernel/refusal.ts'

/** The plugins in other languages of the caller's own workspace. `NOT_FOUND`: any other. */
export function pluginsIn(ctx: Ctx, workspaceId: string): readonly HostedPlugin[] {
  if (workspaceId !== ctx.workspaceId) throw notFound('workspace', workspaceId)
  return ctx.ports.plugins?.of(workspaceId) ?? []
}

/** One of them. `NOT_FOUND`: it has none of that name. */
export function pluginIn(ctx: Ctx, workspaceId: string, name: string): HostedPlugin {
  const found = pluginsIn(ctx, workspaceId).find(plugin => plugin.name === name)
  if (found === undefined) throw notFound('plugin', name)
  return found
}
