import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { InPlugin, PluginDetails, PluginStatus, ProtoFile } from '@waystation/protocol/plugin/plugin.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AddedRow, addedOf, addedRows } from '#lib/plugins/added/rows.ts'

/**
 * Lists the workspace's gRPC plugins with their state in this process: those of its file in its order, then the added
 * ones.
 */
export const listGrpcPlugins = async (ctx: Ctx): Promise<{ plugins: PluginStatus[] }> => ({
  plugins: (await pluginsOf(ctx)).map(({ logs: _, ...status }) => status)
})

/** Returns the plugins that run in this process, and the added ones that do not, or not yet. */
async function pluginsOf({ sql, workspaceId, ports }: Ctx): Promise<PluginDetails[]> {
  const rows = await addedRows({ sql }, workspaceId)
  const running = ports.plugins?.list(workspaceId) ?? []
  const added = new Set(
    (ports.plugins?.of(workspaceId) ?? []).filter(({ isAdded }) => isAdded).map(({ name }) => name)
  )
  const fromFile = running.filter(({ name }) => !added.has(name))
  return [
    ...fromFile,
    ...rows
      .filter(row => !fromFile.some(({ name }) => name === row.name))
      .map(row => {
        const details = row.disabled ? undefined : running.find(({ name }) => name === row.name)
        return { ...(details ?? idle(row)), added: addedOf(row) }
      })
  ]
}

const idle = ({ name, source, version, capabilities, disabled }: AddedRow): PluginDetails => ({
  name,
  source,
  version,
  capabilities,
  state: { kind: disabled ? 'stopped' : 'starting' },
  tools: [],
  views: [],
  skipped: [],
  restarts: 0,
  logs: []
})

/**
 * Returns one gRPC plugin with its log. Throws `NOT_FOUND` if the workspace has no plugin of that name.
 */
export async function getGrpcPlugin(ctx: Ctx, { plugin }: InPlugin): Promise<PluginDetails> {
  const details = (await pluginsOf(ctx)).find(({ name }) => name === plugin)
  if (details === undefined) throw notFound('plugin', plugin)
  return details
}

/**
 * Restarts a gRPC plugin at once, even if it failed. Only this process restarts it: other processes run their
 * own. Throws `NOT_FOUND` like `getGrpcPlugin`, and `CONFLICT` if this process does not run it.
 */
export async function restartGrpcPlugin(ctx: Ctx, { plugin }: InPlugin): Promise<PluginDetails> {
  const { added } = await getGrpcPlugin(ctx, { plugin })
  if (added?.disabled)
    throw new ApiError('CONFLICT', `The plugin “${plugin}” is disabled. An owner can enable it.`)
  ctx.ports.plugins?.restart(ctx.workspaceId, plugin)
  return getGrpcPlugin(ctx, { plugin })
}

/** Returns the gRPC contract for building plugins (003-1). */
export const listProtos = async (ctx: Ctx): Promise<{ files: ProtoFile[] }> => ({
  files: (await ctx.ports.plugins?.protos()) ?? []
})
