import { z } from 'zod'

/**
 * A setting that a plugin's manifest declares (003-5). `default` is always a string, also for numbers (`"3"`) and
 * booleans (`"false"`).
 */
export const SettingField = z.object({
  name: z.string(),
  type: z.enum(['string', 'number', 'bool']),
  ui_type: z.enum(['text', 'number', 'checkbox', 'radio', 'select']),
  required: z.boolean(),
  default: z.string().optional(),
  description: z.string().optional(),
  options: z.array(z.string()).optional(),
  /** Labels of options that have one, by their values. */
  option_labels: z.record(z.string(), z.string()).optional(),
  pattern: z.string().optional(),
  placeholder: z.string().optional(),
  api_source: z.string().optional()
})
export type SettingField = z.infer<typeof SettingField>

export const InWorkspace = z.object({ workspaceId: z.string().max(64) })
export type InWorkspace = z.infer<typeof InWorkspace>

/**
 * The saved settings of a plugin, as text. `fixed` names settings from the workspace file, whose values are not
 * included.
 */
export const PluginSettings = z.object({
  name: z.string(),
  schema: z.array(SettingField),
  settings: z.record(z.string(), z.string()),
  fixed: z.array(z.string())
})
export type PluginSettings = z.infer<typeof PluginSettings>

/** All settings of a plugin. Settings that are missing or empty are cleared. */
export const SaveSettings = InWorkspace.extend({
  plugin: z.string().max(64),
  settings: z.record(z.string().max(200), z.union([z.string().max(10_000), z.number(), z.boolean()]))
})
export type SaveSettings = z.infer<typeof SaveSettings>

export const SettingsSaved = z.object({ status: z.literal('saved') })
export type SettingsSaved = z.infer<typeof SettingsSaved>

/** Searches the options of a field that has an `api_source`. */
export const FindOptions = InWorkspace.extend({
  plugin: z.string().max(64),
  field: z.string().max(200),
  q: z.string().max(500).default('')
})
export type FindOptions = z.infer<typeof FindOptions>

/** A value that a field can be set to. */
export const SettingOption = z.object({ value: z.string(), label: z.string() })
export type SettingOption = z.infer<typeof SettingOption>
