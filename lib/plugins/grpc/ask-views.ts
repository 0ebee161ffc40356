import { createClient } from '@connectrpc/connect'
import type { PluginView, RouteAnswer, RouteRequest } from '#lib/kernel/ports/plugin-host.ts'
import type { CallOptions, Channel } from './channel.ts'
import { explain } from './explain.ts'
import { type ViewDefinition, ViewProvider } from './generated/view_pb.ts'
import { deadlines, most } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { entriesOf, listOf, textOf, wordsOf } from './untrusted.ts'

/** The views that can be shown, and those that cannot with why: a sentence each. */
export type PluginViews = { views: PluginView[]; skipped: { name: string; reason: string }[] }

/** The views of a plugin and the requests that they make (003-12, 003-13): each throws `PluginError`. */
export function askViews(channel: Channel) {
  const client = createClient(ViewProvider, channel.transport)
  return {
    async listViews(options?: CallOptions): Promise<PluginViews> {
      const { views } = await channel.ask(deadlines.listViews, o => client.listViews({}, o), options)
      const read: PluginViews = { views: [], skipped: [] }
      for (const told of listOf(views, most.views, "The plugin's list of views"))
        try {
          const view = viewOf(told)
          if (read.views.some(({ name }) => name === view.name))
            throw new PluginError('invalid', 'Another view of this plugin has the same name.')
          read.views.push(view)
        } catch (error) {
          read.skipped.push({ name: wordsOf(told.name, most.viewName), reason: explain(error).message })
        }
      return read
    },
    /** The view's components, in HCL. */
    async renderView(
      view: { viewName: string; workspaceId: string; params: Record<string, string> },
      options?: CallOptions
    ): Promise<string> {
      const said = await channel.ask(deadlines.renderView, o => client.renderView(view, o), options)
      return textOf(said.componentHcl, most.hcl, 'The view')
    },
    /** The body is passed on byte for byte; headers are ones that HTTP can carry. */
    async handleRoute(request: RouteRequest, options?: CallOptions): Promise<RouteAnswer> {
      if (request.body.length > most.body)
        throw new PluginError('too-large', `The request body is larger than ${most.body} bytes.`)
      // A body of Node's is a view of a pool: protobuf takes plain bytes.
      const sent = { ...request, body: new Uint8Array(request.body) }
      const said = await channel.ask(deadlines.handleRoute, o => client.handleRoute(sent, o), options)
      if (said.statusCode < 200 || said.statusCode > 599)
        throw new PluginError(
          'invalid',
          `The plugin returned ${said.statusCode}, which is not a valid status.`
        )
      if (said.body.length > most.body)
        throw new PluginError('too-large', `The plugin's response body is larger than ${most.body} bytes.`)
      const headers = entriesOf(said.headers, most.headers, "the plugin's headers")
      for (const [name, value] of Object.entries(headers))
        if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
          throw new PluginError('invalid', `The plugin's header “${wordsOf(name, 80)}” is not valid.`)
      return { status: said.statusCode, body: said.body, headers }
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
