import { checkPatterns } from '#lib/hcl/check-patterns.ts'
import { readManifest } from '#lib/hcl/read-manifest.ts'
import type { Patterns } from '#lib/kernel/ctx.ts'
import type { SettingField } from '#lib/protocol/plugin-settings.ts'

/** The settings of a plugin's manifest (003-5). Throws an `HclError` with line and column. */
export async function fieldsOf(
  name: string,
  manifest: string,
  patterns: Patterns
): Promise<readonly SettingField[]> {
  const read = readManifest(manifest)
  if (read.manifest.name !== name)
    throw new Error(`It is of a plugin “${read.manifest.name}”, and this one is “${name}”.`)
  await checkPatterns(read.patterns, patterns.faultsOf)
  return read.manifest.fields.map(({ uiType, apiSource, ...field }) => ({
    ...field,
    ui_type: uiType,
    ...(apiSource === undefined ? {} : { api_source: apiSource })
  }))
}
