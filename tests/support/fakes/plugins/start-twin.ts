import { once } from 'node:events'
import { createSecureServer, createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { lifecycleTypes } from '#lib/kernel/ports/plugin-host.ts'
import { Action, EventType, LifecycleHook } from '#lib/plugins/grpc/generated/lifecycle_pb.ts'
import { type CompleteResponseSchema, LLMProvider } from '#lib/plugins/grpc/generated/llm_pb.ts'
import { Capability, Plugin, Status } from '#lib/plugins/grpc/generated/plugin_pb.ts'
import { ToolProvider } from '#lib/plugins/grpc/generated/tool_pb.ts'
import { ViewProvider } from '#lib/plugins/grpc/generated/view_pb.ts'

/** A plugin in TypeScript, in the test's own process: as one that somebody else runs. */
export type Twin = {
  port: number
  /** What it says of its health. */
  well: boolean
  /** What Register told it, each time, and the token that came with it. */
  registered: { config: object; envVars: Record<string, string>; token: string | null }[]
  /** Streams' messages that it has taken. */
  taken: number
  stop(): Promise<void>
  /** Listens again on its port. */
  start(): Promise<void>
}

/** `'cancel'`, nothing, or the payload in the place of the one it was given; a string is sent as it is. */
export type Hook = (event: {
  type: string
  agentName: string
  // biome-ignore lint/suspicious/noExplicitAny: JSON, as it came
  payload: any
}) => unknown

export type TwinOptions = {
  name?: string
  /** With `ca` it takes calls only from a client whose certificate that authority has signed. */
  tls?: { key: string; cert: string; ca?: string }
  tools?: { name: string; description: string; parametersJsonSchema: string }[]
  /** What it makes of an event; with it, it has hooks. */
  hook?: Hook
  metadata?: Record<string, string>
  /** More attributes of its manifest, all of them text. */
  manifest?: Record<string, string>
  /** The blocks of its manifest's settings. */
  fields?: string
  /** Throws what keeps it from registering with these settings. */
  refuses?: (config: Record<string, string>) => void
  /** With them it shows something: what each comes to in HCL, and what it answers to a request. */
  views?: {
    name: string
    label?: string
    icon?: string
    scope?: string
    routes?: { method: string; path: string }[]
  }[]
  render?: (view: { viewName: string; workspaceId: string; params: Record<string, string> }) => string
  route?: (
    request: RouteAsked
  ) => Promise<{ statusCode: number; body?: Uint8Array; headers?: Record<string, string> }>
  /** With it, it has a model, which answers so. */
  complete?: (request: { model: string }) => AsyncIterable<CompleteResponseInit>
  /** What it says on a stream; an echo of each message otherwise. */
  stream?: (messages: AsyncIterable<StreamSaid>) => AsyncIterable<Uint8Array>
}

export type RouteAsked = {
  method: string
  path: string
  body: Uint8Array
  headers: Record<string, string>
  query: Record<string, string>
}
type CompleteResponseInit = MessageInitShape<typeof CompleteResponseSchema>
type StreamSaid = { data: Uint8Array; metadata: Record<string, string> }

/** Starts one; whoever does stops it. */
export async function startTwin({
  name = 'twin',
  tls,
  tools = [{ name: 'echo', description: 'Says it again.', parametersJsonSchema: '' }],
  hook,
  metadata = {},
  manifest = {},
  fields = '',
  refuses = () => undefined,
  views,
  render = () => '',
  route = async () => ({ statusCode: 404 }),
  complete,
  stream
}: TwinOptions = {}) {
  const twin: Twin = { port: 0, well: true, registered: [], taken: 0, stop, start }
  const sessions = new Set<ServerHttp2Session>()
  const adapter = connectNodeAdapter({
    connect: false,
    grpcWeb: false,
    routes: router =>
      router
        .service(Plugin, {
          register({ config, envVars }, { requestHeader }) {
            refuses(config)
            twin.registered.push({ config, envVars, token: requestHeader.get('authorization') })
            const hooks = hook === undefined ? [] : [Capability.LIFECYCLE_HOOK]
            const shows = views === undefined ? [] : [Capability.VIEW_PROVIDER]
            const thinks = complete === undefined ? [] : [Capability.LLM_PROVIDER]
            return { name, capabilities: [Capability.TOOL_PROVIDER, ...hooks, ...shows, ...thinks], metadata }
          },
          health: () => ({ status: twin.well ? Status.SERVING : Status.NOT_SERVING }),
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
            const said = await hook?.({
              type: lifecycleTypes[type - EventType.AGENT_START] ?? '',
              agentName,
              payload
            })
            if (said === undefined) return { action: Action.CONTINUE }
            if (said === 'cancel') return { action: Action.CANCEL }
            const json = typeof said === 'string' ? said : JSON.stringify(said)
            return { action: Action.MODIFY, modifiedPayloadJson: new TextEncoder().encode(json) }
          }
        })
        .service(ViewProvider, {
          listViews: () => ({ views: (views ?? []).map(view => ({ scope: 'workspace', ...view })) }),
          renderView: asked => ({ componentHcl: render(asked) }),
          handleRoute: asked => route(asked),
          async *handleStream(messages) {
            if (stream !== undefined) {
              for await (const data of stream(messages)) yield { data: new Uint8Array(data) }
              return
            }
            for await (const { data } of messages) {
              twin.taken += 1
              yield { data }
            }
          }
        })
  })
  let server: ReturnType<typeof createServer> | ReturnType<typeof createSecureServer> | undefined
  async function start() {
    server = tls
      ? createSecureServer({ ...tls, requestCert: tls.ca !== undefined }, adapter)
      : createServer(adapter)
    server.on('session', session => {
      sessions.add(session)
      session.on('error', () => undefined).once('close', () => sessions.delete(session))
    })
    server.listen(twin.port, '127.0.0.1')
    await once(server, 'listening')
    twin.port = (server.address() as AddressInfo).port
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
  return twin
}
