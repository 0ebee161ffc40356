import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { route } from '#lib/http/route.ts'
import { saveSettings } from '#lib/plugins/settings/settings.ts'

export const PUT = route(pluginSettingsOperations.save, saveSettings)
