import { once } from 'node:events'
import {
  createSecureServer,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { lifecycleTypes } from '@waystation/plugin-host/contract.ts'
import { Action, EventType, LifecycleHook } from '@waystation/plugin-host/generated/lifecycle_pb.ts'
import {
  type CompleteRequest,
  type CompleteResponseSchema,
  LLMProvider
} from '@waystation/plugin-host/generated/llm_pb.ts'
import { Capability, Plugin, Status } from '@waystation/plugin-host/generated/plugin_pb.ts'
import { ToolProvider } from '@waystation/plugin-host/generated/tool_pb.ts'
import { ViewProvider } from '@waystation/plugin-host/generated/view_pb.ts'

/** A plugin in TypeScript, in the test's process. It behaves like a remote plugin. */
export type TestPlugin = {
  port: number
  /** The result of its health check. */
  healthy: boolean
  /** The methods that it never answers. */
  silent: Set<string>
  /** The calls that arrived, the time until their deadline, and whether the server canceled them. */
  arrived: { method: string; deadlineMs: number | undefined; canceled: boolean }[]
  /** The calls that it answers, with the server's metadata by name, without `x-waystation-`. */
  calls: { method: string; metadata: Record<string, string> }[]
  /** The data of each Register call, with the token. */
  registered: { config: object; envVars: Record<string, string>; token: string | null }[]
  /** The number of stream messages that it received. */
  receivedCount: number
  stop(): Promise<void>
  /** Listens on the same port again. */
  start(): Promise<void>
}

/** Returns `'cancel'`, undefined to continue, or the replacement of the payload. A string is sent as is. */
export type Hook = (event: {
  type: string
  agentName: string
  // biome-ignore lint/suspicious/noExplicitAny: JSON, as it came
  payload: any
}) => unknown

/** The behavior of a test plugin. By default, it has only the tool `echo`. */
export type TestPluginOptions = {
  name?: string
  /** The methods that it never answers. */
  silent?: string[]
  /** With `ca`, it accepts only clients whose certificate this authority has signed. */
  tls?: { key: string; cert: string; ca?: string }
  tools?: { name: string; description: string; parametersJsonSchema: string }[]
  /** The result for an event. If set, the plugin has hooks. */
  hook?: Hook
  metadata?: Record<string, string>
  /** Additional attributes of its manifest, all of them text. */
  manifest?: Record<string, string>
  /** The setting blocks of its manifest. */
  fields?: string
  /** Throws an error to reject the registration with this config. */
  rejectConfig?: (config: Record<string, string>) => void
  /** If set, the plugin has views. `render` returns their HCL, and `route` responds to their requests. */
  views?: {
    name: string
    label?: string
    icon?: string
    scope?: string
    routes?: { method: string; path: string }[]
  }[]
  render?: (view: { viewName: string; workspaceId: string; params: Record<string, string> }) => string
  route?: (
    request: RouteRequest
  ) => Promise<{ statusCode: number; body?: Uint8Array; headers?: Record<string, string> }>
  /** If set, the plugin has a model, which responds with this stream. */
  complete?: (request: CompleteRequest) => AsyncIterable<CompleteResponseInit>
  /** The messages that it sends on a stream. By default, it echoes each message. */
  stream?: (messages: AsyncIterable<StreamMessage>) => AsyncIterable<Uint8Array>
}

export type RouteRequest = {
  method: string
  path: string
  body: Uint8Array
  headers: Record<string, string>
  query: Record<string, string>
}
type CompleteResponseInit = MessageInitShape<typeof CompleteResponseSchema>
type StreamMessage = { data: Uint8Array; metadata: Record<string, string> }

/** Starts a plugin. The caller must stop it. */
export async function startTestPlugin({
  name = 'twin',
  silent = [],
  tls,
  tools = [{ name: 'echo', description: 'Says it again.', parametersJsonSchema: '' }],
  hook,
  metadata = {},
  manifest = {},
  fields = '',
  rejectConfig = () => undefined,
  views,
  render = () => '',
  route = async () => ({ statusCode: 404 }),
  complete,
  stream
}: TestPluginOptions = {}) {
  const plugin: TestPlugin = {
    port: 0,
    healthy: true,
    silent: new Set(silent),
    arrived: [],
    registered: [],
    calls: [],
    receivedCount: 0,
    stop,
    start
  }
  const sessions = new Set<ServerHttp2Session>()
  const adapter = connectNodeAdapter({
    connect: false,
    grpcWeb: false,
    interceptors: [
      next => request => {
        const metadata = [...request.header].flatMap(([name, value]) => {
          const [, field] = /^x-waystation-(.+)$/.exec(name) ?? []
          return field === undefined ? [] : [[field, value] as const]
        })
        plugin.calls.push({ method: request.method.name, metadata: Object.fromEntries(metadata) })
        return next(request)
      }
    ],
    routes: router =>
      router
        .service(Plugin, {
          register({ config, envVars }, { requestHeader }) {
            rejectConfig(config)
            plugin.registered.push({ config, envVars, token: requestHeader.get('authorization') })
            const hooks = hook === undefined ? [] : [Capability.LIFECYCLE_HOOK]
            const shows = views === undefined ? [] : [Capability.VIEW_PROVIDER]
            const thinks = complete === undefined ? [] : [Capability.LLM_PROVIDER]
            return { name, capabilities: [Capability.TOOL_PROVIDER, ...hooks, ...shows, ...thinks], metadata }
          },
          health: () => ({ status: plugin.healthy ? Status.SERVING : Status.NOT_SERVING }),
          getManifest: () => ({
            manifestHcl: `plugin "${name}" {
              version     = "1.0.0"
              description = "Says things again."
              author      = "Us"
              type        = "remote"
              ${Object.entries(manifest)
                .map(([key, value]) => `${key} = "${value}"`)
                .join('\n')}
              config_schema {
                ${fields}
              }
            }`
          })
        })
        .service(ToolProvider, {
          listTools: () => ({ tools }),
          executeTool: ({ argumentsJson }) => ({ resultJson: argumentsJson })
        })
        .service(LLMProvider, {
          async *complete(request) {
            yield* complete?.(request) ?? []
          }
        })
        .service(LifecycleHook, {
          async onEvent({ type, agentName, payloadJson }) {
            const payload = JSON.parse(new TextDecoder().decode(payloadJson))
            const outcome = await hook?.({
              type: lifecycleTypes[type - EventType.AGENT_START] ?? '',
              agentName,
              payload
            })
            if (outcome === undefined) return { action: Action.CONTINUE }
            if (outcome === 'cancel') return { action: Action.CANCEL }
            const json = typeof outcome === 'string' ? outcome : JSON.stringify(outcome)
            return { action: Action.MODIFY, modifiedPayloadJson: new TextEncoder().encode(json) }
          }
        })
        .service(ViewProvider, {
          listViews: () => ({ views: (views ?? []).map(view => ({ scope: 'workspace', ...view })) }),
          renderView: request => ({ componentHcl: render(request) }),
          handleRoute: request => route(request),
          async *handleStream(messages) {
            if (stream !== undefined) {
              for await (const data of stream(messages)) yield { data: new Uint8Array(data) }
              return
            }
            for await (const { data } of messages) {
              plugin.receivedCount += 1
              yield { data }
            }
          }
        })
  })
  const listener = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const deadlineMs = deadlineOf(request.headers['grpc-timeout'])
    const call = { method: request.url.split('/').at(-1) ?? '', deadlineMs, canceled: false }
    plugin.arrived.push(call)
    const { stream } = request
    stream.once('close', () => {
      call.canceled = stream.aborted
    })
    if (plugin.silent.has(call.method)) request.resume()
    else adapter(request, response)
  }
  let server: ReturnType<typeof createServer> | ReturnType<typeof createSecureServer> | undefined
  async function start() {
    server = tls
      ? createSecureServer({ ...tls, requestCert: tls.ca !== undefined }, listener)
      : createServer(listener)
    server.on('session', session => {
      sessions.add(session)
      session.on('error', () => undefined).once('close', () => sessions.delete(session))
    })
    server.listen(plugin.port, '127.0.0.1')
    await once(server, 'listening')
    plugin.port = (server.address() as AddressInfo).port
  }
  async function stop() {
    if (server === undefined) return
    const closed = once(server, 'close')
    server.close()
    server = undefined
    for (const session of sessions) session.destroy()
    await closed
  }
  await start()
  return plugin
}

/** Parses a deadline of gRPC, for example `5000m` for 5 s. */
function deadlineOf(header: unknown): number | undefined {
  const [, count, unit = ''] = /^(\d+)([HMSmun])$/.exec(String(header)) ?? []
  const ms = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 }[unit]
  return ms === undefined ? undefined : Number(count) * ms
}
