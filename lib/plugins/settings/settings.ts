import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid, notFound, Refusal } from '#lib/kernel/refusal.ts'
import { pluginIn, pluginsIn } from '#lib/plugins/plugin-in.ts'
import type {
  FindOptions,
  InWorkspace,
  PluginSettings,
  SaveSettings,
  SettingOption,
  SettingsSaved
} from '#lib/protocol/plugin/plugin-settings.ts'
import { inWords } from './in-words.ts'

/** The settings of each plugin of the workspace, in the order of its file (003-6). */
export async function listSettings(ctx: Ctx, { workspaceId }: InWorkspace): Promise<PluginSettings[]> {
  const plugins = pluginsIn(ctx, workspaceId)
  const rows = await ctx.sql<{ plugin: string; settings: Record<string, string> }[]>`
    select plugin, settings from plugin_settings where workspace_id = ${workspaceId}`
  return plugins.map(({ name, schema = [], fixed }) => ({
    name,
    schema: [...schema],
    settings: rows.find(({ plugin }) => plugin === name)?.settings ?? {},
    // Of what the file says, what the form has: the rest may be anything.
    fixed: fixed.filter(name => schema.some(field => field.name === name))
  }))
}

/**
 * Saves a plugin's settings, all of them (003-7): each process lets it register anew with them within seconds. `NOT_FOUND`: no
 * such plugin; `INVALID_INPUT` with `fields`: what is wrong with which; `UNAVAILABLE`: its manifest is not known yet.
 */
export async function saveSettings(
  ctx: Ctx,
  { workspaceId, plugin: name, settings }: SaveSettings
): Promise<SettingsSaved> {
  const { schema, fixed } = pluginIn(ctx, workspaceId, name)
  if (schema === undefined)
    throw new Refusal(
      'UNAVAILABLE',
      `The plugin “${name}” has not reported its settings yet. Try again after it has started.`
    )
  const checked = await inWords(schema, settings, { fixed, patterns: ctx.ports.patterns })
  if ('faults' in checked) throw invalid('validation failed', checked.faults)
  await ctx.sql`
    insert into plugin_settings (workspace_id, plugin, settings, saved_by, saved_at)
    values (${workspaceId}, ${name}, ${checked.settings}::jsonb, ${ctx.actor.name}, clock_timestamp())
    on conflict (workspace_id, plugin) do update
      set settings = excluded.settings, saved_by = excluded.saved_by, saved_at = excluded.saved_at`
  return { status: 'saved' }
}

/** What a field may be set to, as its `api_source` answers (003-8). `NOT_FOUND`: it has none; `UNAVAILABLE`: with why not. */
export async function findOptions(
  ctx: Ctx,
  { workspaceId, plugin: name, field: fieldName, q }: FindOptions
): Promise<SettingOption[]> {
  const plugin = pluginIn(ctx, workspaceId, name)
  const source = plugin.schema?.find(field => field.name === fieldName)?.api_source
  if (source === undefined) throw notFound('list of options', fieldName)
  return plugin.options(source, q)
}
