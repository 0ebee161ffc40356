import type { ConnectRouter } from '@connectrpc/connect'
import { type StreamMessage, ViewProvider } from '@waystation/plugin-host/generated/view_pb.ts'
import { contextOf, type Registrations, type StreamContext } from './context.ts'
import { matchRoute } from './match-route.ts'
import type { ChatEvent } from './platform.ts'
import { PluginError } from './plugin-error.ts'
import { answering, streaming } from './services.ts'
import type { SettingFields } from './settings.ts'
import type { RouteReply, View } from './view-types.ts'
import { writeView } from './write-view.ts'

/** Relays a browser's WebSocket. Text and bytes are sent as they are, and events as JSON. */
export type Stream<Fields extends SettingFields> = (
  messages: AsyncIterable<Uint8Array>,
  context: StreamContext<Fields>
) => AsyncIterable<Uint8Array | string | ChatEvent>

/** Serves the views, their routes and the stream. */
export function serveViews<Fields extends SettingFields>(
  router: ConnectRouter,
  views: Readonly<Record<string, View<Fields>>>,
  stream: Stream<Fields> | undefined,
  registrations: Registrations<Fields>
): void {
  const routes = Object.values(views).flatMap(view => Object.entries(view.routes ?? {}))
  router.service(ViewProvider, {
    listViews: () => ({ views: Object.entries(views).map(definitionOf) }),
    renderView: answering(async ({ viewName, workspaceId, params }, call) => {
      const view = Object.hasOwn(views, viewName) ? views[viewName] : undefined
      if (view === undefined) throw new PluginError('NOT_FOUND', `There is no view “${viewName}”.`)
      const content = await view.render(params, contextOf(registrations, call, { workspaceId }))
      return { componentHcl: typeof content === 'string' ? content : writeView(content) }
    }),
    handleRoute: answering(async ({ method, path, body, headers, query }, call) => {
      for (const [route, respond] of routes) {
        const params = matchRoute(route, method, path)
        if (params === undefined || respond === undefined) continue
        const request = { method, path, params, query, headers, body, json: () => parseJson(body) }
        return toWire(await respond(request, contextOf(registrations, call)))
      }
      return toWire({ status: 404, json: { error: `There is no ${method} ${path}.` } })
    }),
    handleStream: streaming(async function* (incoming: AsyncIterable<StreamMessage>, call) {
      if (stream === undefined) throw new PluginError('NOT_FOUND', 'This plugin has no stream.')
      const messages = incoming[Symbol.asyncIterator]()
      const {
        workspace_id: workspaceId,
        user_id: userId,
        user_email: userEmail = ''
      } = (await messages.next()).value?.metadata ?? {}
      const context = { ...contextOf(registrations, call, { workspaceId, userId }), userEmail }
      for await (const output of stream(dataOf(messages), context)) yield { data: bytesOf(output) }
    })
  })
}

const definitionOf = <Fields extends SettingFields>([name, view]: [string, View<Fields>]) => ({
  name,
  label: view.label,
  icon: view.icon ?? '',
  scope: view.scope ?? 'workspace',
  routes: Object.keys(view.routes ?? {}).map(route => {
    const [method = '', path = ''] = route.split(' ')
    return { method, path }
  })
})

async function* dataOf(messages: AsyncIterator<StreamMessage>): AsyncGenerator<Uint8Array> {
  for (let next = await messages.next(); !next.done; next = await messages.next()) yield next.value.data
}

function toWire({ status = 200, headers = {}, json, body = '' }: RouteReply) {
  if (json === undefined) return { statusCode: status, headers, body: bytesOf(body) }
  const type = { 'content-type': 'application/json' }
  return { statusCode: status, headers: { ...type, ...headers }, body: bytesOf(JSON.stringify(json)) }
}

function bytesOf(output: Uint8Array | string | object): Uint8Array<ArrayBuffer> {
  // A Node Buffer can be a view of a shared pool, but protobuf needs a plain Uint8Array.
  if (output instanceof Uint8Array) return new Uint8Array(output)
  return new TextEncoder().encode(typeof output === 'string' ? output : JSON.stringify(output))
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
