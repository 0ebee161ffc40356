import type { Ctx } from '#lib/kernel/ctx.ts'
import type { PluginView } from '#lib/kernel/ports/plugin-host.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import { PluginError } from '#lib/plugins/grpc/plugin-error.ts'
import { pluginIn, pluginsIn } from '#lib/plugins/plugin-in.ts'
import type { InWorkspace } from '#lib/protocol/plugin/plugin-settings.ts'
import type { ListedView, RenderedView, RenderView } from '#lib/protocol/plugin/plugin-view.ts'
import { HclError } from '#packages/hcl/src/index.ts'
import { readView } from './read-view.ts'

/** The views of the workspace's plugins, in the order of its file (003-12). */
export const listViews = async (ctx: Ctx, { workspaceId }: InWorkspace): Promise<ListedView[]> =>
  pluginsIn(ctx, workspaceId).flatMap(({ name, views }) => views.map(view => listed(name, view)))

/** How long a view may take to be made, in milliseconds. */
const patience = 10_000

/**
 * A view as its plugin makes it now: components, and never HTML. `NOT_FOUND`: no such view; `UNAVAILABLE`: with why, of one whose
 * HCL cannot be read with the line and column.
 */
export async function renderView(
  ctx: Ctx,
  { workspaceId, plugin: name, view: viewName, params }: RenderView
): Promise<RenderedView> {
  const plugin = pluginIn(ctx, workspaceId, name)
  const view = plugin.views.find(view => view.name === viewName)
  if (view === undefined) throw notFound('view', viewName)
  try {
    const hcl = await plugin.renderView({ viewName, workspaceId, params }, AbortSignal.timeout(patience))
    const routes = plugin.views.flatMap(({ routes }) => routes)
    return { view: listed(name, view), routes, components: readView(hcl) }
  } catch (error) {
    if (error instanceof HclError)
      throw new Refusal('UNAVAILABLE', `The plugin's view cannot be read: ${error.message}`)
    throw unavailable(error)
  }
}

/** A view, and what it shows or a sentence why it cannot be shown now. `NOT_FOUND`: there is none. */
export async function findView(
  ctx: Ctx,
  asked: RenderView
): Promise<{ listed: ListedView; shown: RenderedView | { fault: string } }> {
  const views = await listViews(ctx, asked)
  const found = views.find(({ plugin, name }) => plugin === asked.plugin && name === asked.view)
  if (found === undefined) throw notFound('view', asked.view)
  const shown = await renderView(ctx, asked).catch(error => {
    if (error instanceof Refusal && error.code === 'UNAVAILABLE') return { fault: error.message }
    throw error
  })
  return { listed: found, shown }
}

const listed = (plugin: string, { name, label, icon, scope }: PluginView): ListedView => ({
  plugin,
  name,
  label,
  icon,
  scope
})

/** What a plugin's failure is to whoever asked. */
export const unavailable = (error: unknown): unknown =>
  error instanceof PluginError ? new Refusal('UNAVAILABLE', error.message) : error
