import { createClient } from '@connectrpc/connect'
import type { PluginView, RouteAnswer, RouteRequest } from '#lib/kernel/ports/plugin-host.ts'
import type { CallOptions, Channel } from './channel.ts'
import { explain } from './explain.ts'
import { type ViewDefinition, ViewProvider } from './generated/view_pb.ts'
import { deadlines, most } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { entriesOf, listOf, textOf, wordsOf } from './untrusted.ts'

/** The usable views of a plugin, and the unusable ones with a sentence that says why. */
export type PluginViews = { views: PluginView[]; skipped: { name: string; reason: string }[] }

/**
 * Returns the view calls of a plugin (003-12) and the requests that views make (003-13). Each throws
 * `PluginError`.
 */
export function askViews(channel: Channel) {
  const client = createClient(ViewProvider, channel.transport)
  return {
    /** Lists the views and skips invalid ones. */
    async listViews(options?: CallOptions): Promise<PluginViews> {
      const { views } = await channel.ask(deadlines.listViews, o => client.listViews({}, o), options)
      const list: PluginViews = { views: [], skipped: [] }
      for (const definition of listOf(views, most.views, "The plugin's list of views"))
        try {
          const view = viewOf(definition)
          if (list.views.some(({ name }) => name === view.name))
            throw new PluginError('invalid', 'Another view of this plugin has the same name.')
          list.views.push(view)
        } catch (error) {
          list.skipped.push({ name: wordsOf(definition.name, most.viewName), reason: explain(error).message })
        }
      return list
    },
    /** Renders a view and returns its components as HCL text. */
    async renderView(
      view: { viewName: string; workspaceId: string; params: Record<string, string> },
      options?: CallOptions
    ): Promise<string> {
      const response = await channel.ask(deadlines.renderView, o => client.renderView(view, o), options)
      return textOf(response.componentHcl, most.hcl, 'The view')
    },
    /**
     * Sends a request from a view to the plugin. The bodies are passed on unchanged. Headers that HTTP cannot
     * carry throw `invalid`.
     */
    async handleRoute(request: RouteRequest, options?: CallOptions): Promise<RouteAnswer> {
      if (request.body.length > most.body)
        throw new PluginError('too-large', `The request body is larger than ${most.body} bytes.`)
      // A Node Buffer can be a view of a shared pool, but protobuf needs a plain Uint8Array.
      const message = { ...request, body: new Uint8Array(request.body) }
      const response = await channel.ask(deadlines.handleRoute, o => client.handleRoute(message, o), options)
      if (response.statusCode < 200 || response.statusCode > 599)
        throw new PluginError(
          'invalid',
          `The plugin returned ${response.statusCode}, which is not a valid status.`
        )
      if (response.body.length > most.body)
        throw new PluginError('too-large', `The plugin's response body is larger than ${most.body} bytes.`)
      const headers = entriesOf(response.headers, most.headers, "the plugin's headers")
      for (const [name, value] of Object.entries(headers))
        if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
          throw new PluginError('invalid', `The plugin's header “${wordsOf(name, 80)}” is not valid.`)
      return { status: response.statusCode, body: response.body, headers }
    }
  }
}

function viewOf({ name, label, icon, scope, routes }: ViewDefinition): PluginView {
  if (!/^[A-Za-z0-9_-]+$/.test(textOf(name, most.viewName, 'Its name')))
    throw new PluginError('invalid', 'Its name can contain only letters, digits, - and _.')
  if (scope !== 'workspace' && scope !== 'global')
    throw new PluginError('invalid', `Its scope “${wordsOf(scope, 40)}” is neither “workspace” nor “global”.`)
  return {
    name,
    label: textOf(label, most.label, 'Its label') || name,
    icon: textOf(icon, most.label, 'Its icon'),
    scope,
    routes: listOf(routes, most.routes, 'Its list of routes').map(route => {
      const method = route.method.toUpperCase()
      const path = textOf(route.path, most.path, 'A path')
      if (!/^(GET|POST|PUT|DELETE)$/.test(method) || !path.startsWith('/'))
        throw new PluginError('invalid', `Its route “${wordsOf(`${method} ${path}`, 100)}” is not valid.`)
      return { method, path }
    })
  }
}
