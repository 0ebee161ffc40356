import { bind } from '#lib/http/endpoint.ts'
import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { route } from '#lib/http/route.ts'
import { listViews, renderView } from '#lib/plugins/views/views.ts'

export const pluginViewEndpoints = bind(pluginViewOperations, {
  list: operation => route(operation, listViews),
  render: operation => route(operation, renderView)
})
