import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { route } from '#lib/http/route.ts'
import { findOptions } from '#lib/plugins/settings/settings.ts'

export const GET = route(pluginSettingsOperations.options, findOptions)
