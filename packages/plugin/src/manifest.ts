import { hclBlock } from './hcl.ts'
import type { SettingField, SettingFields } from './settings.ts'

/** The description of a plugin, for its manifest. */
export type About = {
  name: string
  version: string
  description: string
  author?: string | undefined
  icon?: string | undefined
  settings?: SettingFields | undefined
}

/** Writes a manifest (docs/hcl.md#manifests). */
export function writeManifest(
  { name, version, description, author = 'Unknown', icon, settings = {} }: About,
  type: 'local' | 'remote'
): string {
  const fields = Object.entries(settings).map(([id, field]) => hclBlock('field', id, attributesOf(field)))
  const schema = fields.length === 0 ? [] : [hclBlock('config_schema', undefined, {}, fields)]
  return hclBlock('plugin', name, { version, description, author, icon, type }, schema)
}

/** In a manifest, every default is a string. */
const attributesOf = (field: SettingField) => ({ ...field, default: field.default?.toString() })
