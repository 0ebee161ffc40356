import type { ConnectRouter } from '@connectrpc/connect'
import { Capability, Plugin as PluginService, Status } from '@waystation/plugin-host/generated/plugin_pb.ts'
import { metadataOf, type Registered, type Registrations } from './context.ts'
import { type Listening, type ListenOptions, type ListenTls, listen } from './listen.ts'
import { type About, writeManifest } from './manifest.ts'
import { type Hooks, serveHooks } from './serve-hooks.ts'
import { type Model, serveModel } from './serve-model.ts'
import { serveProgram } from './serve-program.ts'
import { type AnyTool, serveTools } from './serve-tools.ts'
import { type Stream, serveViews } from './serve-views.ts'
import { answering } from './services.ts'
import { readSettings, type SettingFields } from './settings.ts'
import type { Tool } from './tool-types.ts'
import type { RouteName, View } from './view-types.ts'

/** A plugin. Each of tools, hooks, model and views adds the capability that it needs. */
export type PluginDefinition<
  Fields extends SettingFields,
  Parameters,
  Views = Record<string, Record<RouteName, unknown>>
> = Omit<About, 'settings'> & {
  /** The settings of the plugin, which its page shows as a form. */
  settings?: Fields
  /** The manifest in HCL, instead of one made from the fields above. */
  manifest?: string
  /** Additional metadata of Register. */
  metadata?: Record<string, string>
  /**
   * Called with the settings of each Register. If it throws, the plugin does not serve and shows the reason. A remote
   * plugin can serve several workspaces, so store values of the settings by `workspaceId`.
   */
  register?(registered: Registered<Fields>): void | Promise<void>
  /** Default: always true. */
  isHealthy?(): boolean | Promise<boolean>
  tools?: { [Name in keyof Parameters]: Tool<Parameters[Name], Fields> }
  hooks?: Hooks<Fields>
  model?: Model<Fields>
  views?: { [Name in keyof Views]: View<Fields, Views[Name]> }
  stream?: Stream<Fields>
}

export type Plugin = {
  name: string
  /**
   * Serves the plugin until the server that started it ends. Listens on `PLUGIN_LISTEN_ADDR`, or else on `listen`
   * (`host:port`). Uses `tls` as a remote plugin, and not as a local one.
   */
  serve(options?: { listen?: string; tls?: ListenTls }): Promise<Listening>
  /** Listens without a handshake on standard output. Used by tests. */
  listen(options: ListenOptions): Promise<Listening>
}

/** The number of workspaces whose settings a plugin stores, because any caller can register a plugin without TLS. */
const maxWorkspaces = 10_000

/** Defines a plugin. Nothing runs until `serve`. */
export function plugin<
  const Fields extends SettingFields = Record<never, never>,
  // Without a constraint: a tool without parameters would make the types of all tools unknown.
  const Parameters = Record<never, never>,
  const Views = Record<never, never>
>(definition: PluginDefinition<Fields, Parameters, Views>): Plugin {
  const listenWith = (options: ListenOptions) => listen(router => route(router, definition, options), options)
  return {
    name: definition.name,
    listen: listenWith,
    serve: ({ listen: address = '127.0.0.1:0', tls } = {}) => serveProgram({ address, tls }, listenWith)
  }
}

function route<Fields extends SettingFields, Parameters, Views>(
  router: ConnectRouter,
  definition: PluginDefinition<Fields, Parameters, Views>,
  { token, env = process.env }: ListenOptions
): void {
  const { name, tools, hooks, model, views, stream, settings = {} as Fields } = definition
  const byWorkspace = new Map<string | undefined, ReturnType<Registrations<Fields>>>()
  // A workspace never receives the values of another one. Tests and old servers register without a workspace.
  const registered: Registrations<Fields> = workspaceId =>
    byWorkspace.get(workspaceId) ??
    byWorkspace.get(undefined) ?? { settings: readSettings(settings, {}), env }
  const capabilities = [
    ...(tools ? [Capability.TOOL_PROVIDER] : []),
    ...(hooks ? [Capability.LIFECYCLE_HOOK] : []),
    ...(model ? [Capability.LLM_PROVIDER] : []),
    ...(views ? [Capability.VIEW_PROVIDER] : [])
  ]
  const metadata = {
    version: definition.version,
    ...(hooks && { lifecycle_events: Object.keys(hooks).join(',') }),
    ...definition.metadata
  }
  router.service(PluginService, {
    register: answering(async ({ config, envVars }, { requestHeader }) => {
      const workspaceId = metadataOf(requestHeader, 'workspace')
      const next = { settings: readSettings(settings, config), env: { ...env, ...envVars } }
      await definition.register?.({ ...next, workspaceId })
      byWorkspace.delete(workspaceId)
      byWorkspace.set(workspaceId, next)
      const [oldest] = byWorkspace.keys()
      if (byWorkspace.size > maxWorkspaces) byWorkspace.delete(oldest)
      return { name, capabilities, metadata }
    }),
    health: answering(async () => ({
      status: ((await definition.isHealthy?.()) ?? true) ? Status.SERVING : Status.NOT_SERVING
    })),
    getManifest: () => ({
      manifestHcl: definition.manifest ?? writeManifest(definition, token === undefined ? 'remote' : 'local')
    })
  })
  if (tools) serveTools(router, tools as unknown as Record<string, AnyTool<Fields>>, registered)
  if (hooks) serveHooks(router, hooks, registered)
  if (model) serveModel(router, model, registered)
  if (views) serveViews(router, views as unknown as Record<string, View<Fields>>, stream, registered)
}
