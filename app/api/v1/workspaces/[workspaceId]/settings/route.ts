import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { route } from '#lib/http/route.ts'
import { listSettings } from '#lib/plugins/settings/settings.ts'

export const GET = route(pluginSettingsOperations.list, listSettings)
