import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { route } from '#lib/http/route.ts'
import { renderView } from '#lib/plugins/views/views.ts'

export const GET = route(pluginViewOperations.render, renderView)
