import { createClient } from '@connectrpc/connect'
import type { CallOptions, Channel } from './channel.ts'
import type { PluginView, RouteAnswer, RouteRequest } from './contract.ts'
import { explain } from './explain.ts'
import { type ViewDefinition, ViewProvider } from './generated/view_pb.ts'
import { deadlines, limits } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { checkEntries, checkList, checkText, toSingleLine } from './untrusted.ts'

/** The usable views of a plugin, and the unusable ones with a sentence that says why. */
export type PluginViews = { views: PluginView[]; skipped: { name: string; reason: string }[] }

/**
 * Returns the view calls of a plugin (003-12) and the requests that views make (003-13). Each throws
 * `PluginError`.
 */
export function viewCalls(channel: Channel) {
  const client = createClient(ViewProvider, channel.transport)
  return {
    /** Lists the views and skips invalid ones. */
    async listViews(options?: CallOptions): Promise<PluginViews> {
      const { views } = await channel.ask(deadlines.listViews, o => client.listViews({}, o), options)
      const list: PluginViews = { views: [], skipped: [] }
      for (const definition of checkList(views, limits.views, "The plugin's list of views"))
        try {
          const view = viewOf(definition)
          if (list.views.some(({ name }) => name === view.name))
            throw new PluginError('invalid', 'Another view of this plugin has the same name.')
          list.views.push(view)
        } catch (error) {
          list.skipped.push({
            name: toSingleLine(definition.name, limits.viewName),
            reason: explain(error).message
          })
        }
      return list
    },
    /** Renders a view and returns its components as HCL text. */
    async renderView(
      view: { viewName: string; workspaceId: string; params: Record<string, string> },
      options?: CallOptions
    ): Promise<string> {
      const response = await channel.ask(deadlines.renderView, o => client.renderView(view, o), options)
      return checkText(response.componentHcl, limits.hcl, 'The view')
    },
    /**
     * Sends a request from a view to the plugin. The bodies are passed on unchanged. Headers that HTTP cannot
     * carry throw `invalid`.
     */
    async handleRoute(request: RouteRequest, options?: CallOptions): Promise<RouteAnswer> {
      if (request.body.length > limits.body)
        throw new PluginError('too-large', `The request body is larger than ${limits.body} bytes.`)
      // A Node Buffer can be a view of a shared pool, but protobuf needs a plain Uint8Array.
      const message = { ...request, body: new Uint8Array(request.body) }
      const response = await channel.ask(deadlines.handleRoute, o => client.handleRoute(message, o), options)
      if (response.statusCode < 200 || response.statusCode > 599)
        throw new PluginError(
          'invalid',
          `The plugin returned ${response.statusCode}, which is not a valid status.`
        )
      if (response.body.length > limits.body)
        throw new PluginError('too-large', `The plugin's response body is larger than ${limits.body} bytes.`)
      const headers = checkEntries(response.headers, limits.headers, "the plugin's headers")
      for (const [name, value] of Object.entries(headers))
        if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
          throw new PluginError('invalid', `The plugin's header “${toSingleLine(name, 80)}” is not valid.`)
      return { status: response.statusCode, body: response.body, headers }
    }
  }
}

function viewOf({ name, label, icon, scope, routes }: ViewDefinition): PluginView {
  if (!/^[A-Za-z0-9_-]+$/.test(checkText(name, limits.viewName, 'Its name')))
    throw new PluginError('invalid', 'Its name can contain only letters, digits, - and _.')
  if (scope !== 'workspace' && scope !== 'global')
    throw new PluginError(
      'invalid',
      `Its scope “${toSingleLine(scope, 40)}” is neither “workspace” nor “global”.`
    )
  return {
    name,
    label: checkText(label, limits.label, 'Its label') || name,
    icon: checkText(icon, limits.label, 'Its icon'),
    scope,
    routes: checkList(routes, limits.routes, 'Its list of routes').map(route => {
      const method = route.method.toUpperCase()
      const path = checkText(route.path, limits.path, 'A path')
      if (!/^(GET|POST|PUT|DELETE)$/.test(method) || !path.startsWith('/'))
        throw new PluginError(
          'invalid',
          `Its route “${toSingleLine(`${method} ${path}`, 100)}” is not valid.`
        )
      return { method, path }
    })
  }
}
