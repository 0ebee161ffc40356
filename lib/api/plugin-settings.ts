import { bind } from '#lib/http/endpoint.ts'
import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { route } from '#lib/http/route.ts'
import { findOptions, listSettings, saveSettings } from '#lib/plugins/settings/settings.ts'

export const pluginSettingsEndpoints = bind(pluginSettingsOperations, {
  list: operation => route(operation, listSettings),
  save: operation => route(operation, saveSettings),
  options: operation => route(operation, findOptions)
})
