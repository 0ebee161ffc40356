import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { InPlugin, PluginDetails, PluginStatus, ProtoFile } from '#lib/protocol/plugin/plugin.ts'

/** The workspace's plugins in other languages, in the order of its file, as they stand in this process. */
export const listHosted = async (ctx: Ctx): Promise<{ plugins: PluginStatus[] }> => ({
  plugins: (ctx.ports.plugins?.list(ctx.workspaceId) ?? []).map(({ logs: _, ...status }) => status)
})

/** One of them, with what it wrote. `NOT_FOUND`: the workspace's file has none of that name. */
export async function getHosted(ctx: Ctx, { plugin }: InPlugin): Promise<PluginDetails> {
  const found = ctx.ports.plugins?.list(ctx.workspaceId).find(({ name }) => name === plugin)
  if (found === undefined) throw notFound('plugin', plugin)
  return found
}

/** Starts one anew at once, also one that failed, in this process: others start theirs by themselves. `NOT_FOUND`: as above. */
export async function restartHosted(ctx: Ctx, { plugin }: InPlugin): Promise<PluginDetails> {
  if (ctx.ports.plugins?.restart(ctx.workspaceId, plugin) !== true) throw notFound('plugin', plugin)
  return getHosted(ctx, { plugin })
}

/** The contract that plugins in other languages are built with (003-1). */
export const listProtos = async (ctx: Ctx): Promise<{ files: ProtoFile[] }> => ({
  files: (await ctx.ports.plugins?.protos()) ?? []
})
