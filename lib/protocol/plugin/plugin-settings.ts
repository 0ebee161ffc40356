import { z } from 'zod'

/** A setting of a plugin as its manifest has it (003-5). `default` is a string, also of a number (`"3"`) and a bool (`"false"`). */
export const SettingField = z.object({
  name: z.string(),
  type: z.enum(['string', 'number', 'bool']),
  ui_type: z.enum(['text', 'number', 'checkbox', 'radio', 'select']),
  required: z.boolean(),
  default: z.string().optional(),
  description: z.string().optional(),
  options: z.array(z.string()).optional(),
  pattern: z.string().optional(),
  placeholder: z.string().optional(),
  api_source: z.string().optional()
})
export type SettingField = z.infer<typeof SettingField>

export const InWorkspace = z.object({ workspaceId: z.string().max(64) })
export type InWorkspace = z.infer<typeof InWorkspace>

/** What is saved of a plugin's settings, as text; `fixed`: those that the workspace's file has, whose values stay there. */
export const PluginSettings = z.object({
  name: z.string(),
  schema: z.array(SettingField),
  settings: z.record(z.string(), z.string()),
  fixed: z.array(z.string())
})
export type PluginSettings = z.infer<typeof PluginSettings>

/** All that is to be saved: what is left out or empty is not set any more. */
export const SaveSettings = InWorkspace.extend({
  plugin: z.string().max(64),
  settings: z.record(z.string().max(200), z.union([z.string().max(10_000), z.number(), z.boolean()]))
})
export type SaveSettings = z.infer<typeof SaveSettings>

export const SettingsSaved = z.object({ status: z.literal('saved') })
export type SettingsSaved = z.infer<typeof SettingsSaved>

/** Words to look for among the options of a field; `field` has an `api_source`. */
export const FindOptions = InWorkspace.extend({
  plugin: z.string().max(64),
  field: z.string().max(200),
  q: z.string().max(500).default('')
})
export type FindOptions = z.infer<typeof FindOptions>

/** What a field may be set to. */
export const SettingOption = z.object({ value: z.string(), label: z.string() })
export type SettingOption = z.infer<typeof SettingOption>
