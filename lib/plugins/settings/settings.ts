import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import type {
  FindOptions,
  InWorkspace,
  PluginSettings,
  SaveSettings,
  SettingOption,
  SettingsSaved
} from '@waystation/protocol/plugin/plugin-settings.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { pluginIn, pluginsIn } from '#lib/plugins/plugin-in.ts'
import { validateSettings } from './validate-settings.ts'

/** Lists the settings of each plugin of the workspace, in the order of its file (003-6). */
export async function listSettings(ctx: Ctx, { workspaceId }: InWorkspace): Promise<PluginSettings[]> {
  const plugins = pluginsIn(ctx, workspaceId)
  const rows = await ctx.sql<{ plugin: string; settings: Record<string, string> }[]>`
    select plugin, settings from plugin_settings where workspace_id = ${workspaceId}`
  return plugins.map(({ name, schema = [], fixed }) => ({
    name,
    schema: [...schema],
    settings: rows.find(({ plugin }) => plugin === name)?.settings ?? {},
    // The file can set values that the manifest does not declare, so list only those with a field.
    fixed: fixed.filter(name => schema.some(field => field.name === name))
  }))
}

/**
 * Replaces all saved settings of a plugin (003-7). Within seconds, each process registers the plugin again with
 * them. Throws `NOT_FOUND` for an unknown plugin, `INVALID_INPUT` with `fields` for invalid values, and
 * `UNAVAILABLE` if the manifest is not known yet.
 */
export async function saveSettings(
  ctx: Ctx,
  { workspaceId, plugin: name, settings }: SaveSettings
): Promise<SettingsSaved> {
  const { schema, fixed } = pluginIn(ctx, workspaceId, name)
  if (schema === undefined)
    throw new ApiError(
      'UNAVAILABLE',
      `The plugin “${name}” has not reported its settings yet. Try again after it has started.`
    )
  const result = await validateSettings(schema, settings, { fixed, patterns: ctx.ports.patterns })
  if ('errors' in result) throw invalid('validation failed', result.errors)
  await ctx.sql`
    insert into plugin_settings (workspace_id, plugin, settings, saved_by, saved_at)
    values (${workspaceId}, ${name}, ${result.settings}::jsonb, ${ctx.actor.name}, clock_timestamp())
    on conflict (workspace_id, plugin) do update
      set settings = excluded.settings, saved_by = excluded.saved_by, saved_at = excluded.saved_at`
  return { status: 'saved' }
}

/**
 * Returns the options of a field from its `api_source` (003-8). Throws `NOT_FOUND` if it has none, and
 * `UNAVAILABLE` with the reason if they cannot be loaded.
 */
export async function findOptions(
  ctx: Ctx,
  { workspaceId, plugin: name, field: fieldName, q }: FindOptions
): Promise<SettingOption[]> {
  const plugin = pluginIn(ctx, workspaceId, name)
  const source = plugin.schema?.find(field => field.name === fieldName)?.api_source
  if (source === undefined) throw notFound('list of options', fieldName)
  return plugin.options(source, q)
}
