import { InWorkspace } from '@waystation/protocol/plugin/plugin-settings.ts'
import { ListedView, RenderedView, RenderView } from '@waystation/protocol/plugin/plugin-view.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const pluginViewOperations = {
  list: operation({
    id: 'listViews',
    method: 'GET',
    path: '/api/v1/workspaces/{workspaceId}/views',
    summary: 'List the views that plugins add to the navigation',
    actor: 'user',
    scope: 'read',
    input: InWorkspace,
    answer: z.array(ListedView),
    errors: ['NOT_FOUND']
  }),
  render: operation({
    id: 'renderView',
    method: 'GET',
    path: '/api/v1/workspaces/{workspaceId}/views/{plugin}/{view}',
    summary: "Render a plugin's view; the plugin receives the query parameters",
    actor: 'user',
    scope: 'read',
    input: RenderView,
    gather: ({ path, query }) => ({ ...path, params: query }),
    answer: RenderedView,
    errors: ['NOT_FOUND', 'UNAVAILABLE']
  })
}
