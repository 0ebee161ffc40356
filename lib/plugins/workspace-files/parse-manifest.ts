import type { PluginManifest } from '@waystation/plugin-host/contract.ts'
import type { Patterns } from '#lib/kernel/ctx.ts'
import { checkPatterns } from './check-patterns.ts'
import { readManifest } from './read-manifest.ts'

/**
 * Parses a plugin's manifest: its description and its settings (003-3, 003-5). Throws an `HclError` with line
 * and column, or an Error if it is for another plugin than `name`.
 */
export async function parseManifest(
  name: string | undefined,
  text: string,
  patterns: Patterns
): Promise<PluginManifest> {
  const { manifest, patterns: used, warnings } = readManifest(text)
  const { fields, ...about } = manifest
  if (name !== undefined && about.name !== name)
    throw new Error(`The manifest is for the plugin “${about.name}”, but this plugin is “${name}”.`)
  await checkPatterns(used, patterns.errorsOf)
  const { version, description, author, icon, type } = about
  return {
    name: about.name,
    about: { version, description, author, type, ...(icon === undefined ? {} : { icon }) },
    warnings,
    fields: fields.map(({ uiType, apiSource, optionLabels, ...field }) => ({
      ...field,
      ui_type: uiType,
      ...(optionLabels === undefined ? {} : { option_labels: optionLabels }),
      ...(apiSource === undefined ? {} : { api_source: apiSource })
    }))
  }
}
