import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { route } from '#lib/http/route.ts'
import { listViews } from '#lib/plugins/views/views.ts'

export const GET = route(pluginViewOperations.list, listViews)
