import { ApiError, notFound } from '@waystation/base/api-error.ts'
import { HclError } from '@waystation/hcl'
import type { PluginView } from '@waystation/plugin-host/contract.ts'
import { PluginError } from '@waystation/plugin-host/plugin-error.ts'
import type { InWorkspace } from '@waystation/protocol/plugin/plugin-settings.ts'
import type { ListedView, RenderedView, RenderView } from '@waystation/protocol/plugin/plugin-view.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { pluginIn, pluginsIn } from '#lib/plugins/plugin-in.ts'
import { originOfView } from './origin-of-view.ts'
import { readView } from './read-view.ts'

/** Lists the views of the workspace's plugins, in the order of its file (003-12). */
export const listViews = async (ctx: Ctx, { workspaceId }: InWorkspace): Promise<ListedView[]> =>
  pluginsIn(ctx, workspaceId).flatMap(({ name, views }) => views.map(view => toListed(name, view)))

/**
 * Asks the plugin to render a view and returns its components, never HTML. Throws `NOT_FOUND` for an unknown
 * view. Throws `UNAVAILABLE` with the reason if the plugin fails, or with line and column if its HCL is
 * invalid.
 */
export async function renderView(
  ctx: Ctx,
  { workspaceId, plugin: name, view: viewName, params }: RenderView
): Promise<RenderedView> {
  const plugin = pluginIn(ctx, workspaceId, name)
  const view = plugin.views.find(view => view.name === viewName)
  if (view === undefined) throw notFound('view', viewName)
  try {
    const hcl = await plugin.renderView({ viewName, workspaceId, params }, originOfView(ctx))
    const routes = plugin.views.flatMap(({ routes }) => routes)
    return { view: toListed(name, view), routes, components: readView(hcl) }
  } catch (error) {
    if (error instanceof HclError)
      throw new ApiError('UNAVAILABLE', `The plugin's view cannot be read: ${error.message}`)
    throw unavailable(error)
  }
}

/**
 * Returns a view with its components, or with a sentence that says why it cannot be shown now. Throws
 * `NOT_FOUND` for an unknown view.
 */
export async function findView(
  ctx: Ctx,
  request: RenderView
): Promise<{ listed: ListedView; shown: RenderedView | { error: string } }> {
  const views = await listViews(ctx, request)
  const view = views.find(({ plugin, name }) => plugin === request.plugin && name === request.view)
  if (view === undefined) throw notFound('view', request.view)
  const shown = await renderView(ctx, request).catch(error => {
    if (error instanceof ApiError && error.code === 'UNAVAILABLE') return { error: error.message }
    throw error
  })
  return { listed: view, shown }
}

const toListed = (plugin: string, { name, label, icon, scope }: PluginView): ListedView => ({
  plugin,
  name,
  label,
  icon,
  scope
})

/** Converts a plugin's error to an `ApiError` with `UNAVAILABLE`. Returns other errors unchanged. */
export const unavailable = (error: unknown): unknown =>
  error instanceof PluginError ? new ApiError('UNAVAILABLE', error.message) : error
