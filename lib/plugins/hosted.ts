import { notFound } from '@waystation/base/api-error.ts'
import type { InPlugin, PluginDetails, PluginStatus, ProtoFile } from '@waystation/protocol/plugin/plugin.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Lists the workspace's gRPC plugins in the order of its file, with their state in this process. */
export const listGrpcPlugins = async (ctx: Ctx): Promise<{ plugins: PluginStatus[] }> => ({
  plugins: (ctx.ports.plugins?.list(ctx.workspaceId) ?? []).map(({ logs: _, ...status }) => status)
})

/**
 * Returns one gRPC plugin with its log. Throws `NOT_FOUND` if the workspace file has no plugin of that name.
 */
export async function getGrpcPlugin(ctx: Ctx, { plugin }: InPlugin): Promise<PluginDetails> {
  const details = ctx.ports.plugins?.list(ctx.workspaceId).find(({ name }) => name === plugin)
  if (details === undefined) throw notFound('plugin', plugin)
  return details
}

/**
 * Restarts a gRPC plugin at once, even if it failed. Only this process restarts it: other processes run their
 * own. Throws `NOT_FOUND` like `getGrpcPlugin`.
 */
export async function restartGrpcPlugin(ctx: Ctx, { plugin }: InPlugin): Promise<PluginDetails> {
  if (ctx.ports.plugins?.restart(ctx.workspaceId, plugin) !== true) throw notFound('plugin', plugin)
  return getGrpcPlugin(ctx, { plugin })
}

/** Returns the gRPC contract for building plugins (003-1). */
export const listProtos = async (ctx: Ctx): Promise<{ files: ProtoFile[] }> => ({
  files: (await ctx.ports.plugins?.protos()) ?? []
})
