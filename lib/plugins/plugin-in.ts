import { notFound } from '@waystation/base/api-error.ts'
import type { HostedPlugin } from '@waystation/plugin-host/contract.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns the gRPC plugins of the caller's workspace. Throws `NOT_FOUND` for any other workspace. */
export function pluginsIn(ctx: Ctx, workspaceId: string): readonly HostedPlugin[] {
  if (workspaceId !== ctx.workspaceId) throw notFound('workspace', workspaceId)
  return ctx.ports.plugins?.of(workspaceId) ?? []
}

/** Returns one gRPC plugin of the workspace. Throws `NOT_FOUND` if there is none of that name. */
export function pluginIn(ctx: Ctx, workspaceId: string, name: string): HostedPlugin {
  const plugin = pluginsIn(ctx, workspaceId).find(candidate => candidate.name === name)
  if (plugin === undefined) throw notFound('plugin', name)
  return plugin
}
