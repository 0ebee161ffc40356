import { isDeepStrictEqual } from 'node:util'
import { digestOf } from '@waystation/base/digest.ts'
import { log } from '@waystation/base/log.ts'
import { watchFolder } from '@waystation/base/watch-folder.ts'
import type { EgressPolicy } from '@waystation/egress'
import type { PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import { machineClock } from './clock.ts'
import { connectSource, type PlatformAddress, type SandboxLocal } from './connect-source.ts'
import {
  type Conversation,
  type ConversationEvent,
  type HostedPlugin,
  lifecycleTypes,
  type PluginAt,
  type PluginCall,
  type PluginHost,
  type PluginManifest
} from './contract.ts'
import { explain } from './explain.ts'
import { fetchOptions } from './fetch-options.ts'
import { inspect, type SettingErrors } from './introduce.ts'
import { LogRing } from './log-ring.ts'
import { openPlatform, type PlatformEndpoint } from './open-platform.ts'
import { PluginError } from './plugin-error.ts'
import { readProtos } from './read-protos.ts'
import { resolveSource, type SourceText } from './resolve-source.ts'
import type { Capability } from './self-calls.ts'
import { type Supervised, supervise } from './supervise.ts'
import { Timings } from './timings.ts'
import type { ErrorsOf } from './usable-tools.ts'
import { warnPlainText } from './warn-plain-text.ts'

/** A plugin from a workspace file, or one that an owner added. */
export type PluginSpec = {
  name: string
  source: SourceText
  config: Record<string, string>
  /** Values that people saved in the settings form. */
  saved: Record<string, string>
  /** The version that the workspace file names. Undefined: any version. */
  version?: string
  /**
   * For a plugin that an owner added: the capabilities that they accepted. It receives no variables of the workspace,
   * because the operator's secrets are not the owner's.
   */
  accepted?: readonly Capability[]
  /** If its hooks fail, the event is canceled instead of continued. */
  failClosed: boolean
  /** For a local plugin: the index of this process among those that run a copy of it (PLUGIN_COPY_INDEX). */
  copyIndex?: number
  /** Says why the plugin cannot be started now. */
  problem?: string
  /** Restarts a local plugin when a file in its program's folder changes. */
  restartOnChange?: boolean
}

/** Time limit for reading what a plugin provides before it is added, in milliseconds. */
const inspectMs = 10_000

/** A plugin of this process. `error` says why it cannot be started. */
type ManagedPlugin = {
  wanted: PluginSpec
  digest: string
  supervised?: Supervised
  error?: string
  /** Ends the watch of its program's folder. */
  unwatch?: () => void
  /** The address of PlatformHost for it. */
  platform?: PlatformAddress | undefined
  /** Stops serving PlatformHost to it. */
  close?: (() => Promise<void>) | undefined
  plugin: HostedPlugin
  /** Durations of its hooks. */
  heard: Timings
  /** It is being stopped and will be replaced or removed. */
  leaving?: boolean
}

/** The plugin host, with `keep` to set which plugins run. */
export type PluginSupervisor = PluginHost & {
  /**
   * Runs exactly these plugins for a workspace and leaves unchanged ones alone. `defaultAgent` is the agent for
   * plugins that call back.
   */
  keep: (
    workspaceId: string,
    plugins: readonly PluginSpec[],
    more: { envVars: Record<string, string>; defaultAgent?: string | undefined }
  ) => Promise<void>
}

/**
 * The plugin that calls back, and the agent it talks to. `agentId` is undefined if the workspace file has no
 * agents.
 */
export type ConversationCaller = { workspaceId: string; plugin: string; agentId: string | undefined }

/** Returns for each JSON Schema of a workspace why it cannot be used, or null if it can. */
type SchemaCheck = {
  errorsOf: (schemas: readonly Record<string, unknown>[], workspaceId: string) => Promise<(string | null)[]>
}

/**
 * Runs the plugins of all workspaces in this process, independently of each other.
 *
 * @param localFolder absolute path of the folder of local plugins; undefined: no local plugins
 * @param sandbox for local plugins that run in a sandbox; undefined: they cannot
 * @param platform where remote plugins can call back; undefined: they cannot
 * @param converse runs the conversations of plugins that call back
 * @param readManifest parses the manifest of a plugin with this name, or with any; throws an Error with a sentence
 * @param schemas checks the schemas of its tools
 */
export function pluginHost({
  policy,
  localFolder,
  sandbox,
  platform: place,
  converse,
  readManifest,
  settingErrors = async () => ({}),
  schemas
}: {
  policy: EgressPolicy
  localFolder: string | undefined
  sandbox?: SandboxLocal
  platform: PlatformEndpoint | undefined
  converse: (caller: ConversationCaller, conversation: Conversation) => AsyncIterable<ConversationEvent>
  readManifest: (name: string | undefined, manifest: string) => Promise<PluginManifest | undefined>
  settingErrors?: SettingErrors
  schemas: SchemaCheck
}): PluginSupervisor {
  const byWorkspace = new Map<string, ManagedPlugin[]>()
  const defaultAgents = new Map<string, string | undefined>()
  const listeners = new Set<() => void>()
  const notifyListeners = () => {
    for (const listener of [...listeners]) listener()
  }
  const pluginsOf = (workspaceId: string) => byWorkspace.get(workspaceId) ?? []

  const end = async (plugin: ManagedPlugin) => {
    plugin.leaving = true
    plugin.unwatch?.()
    await plugin.supervised?.stop()
    await plugin.close?.()
  }

  const start = async (
    workspaceId: string,
    wanted: PluginSpec,
    digest: string,
    envVars: Record<string, string>,
    knownManifest: PluginManifest | undefined
  ): Promise<ManagedPlugin> => {
    const { name, config, saved } = wanted
    const managed: ManagedPlugin = {
      wanted,
      digest,
      plugin: hosted(() => managed, policy),
      heard: new Timings()
    }
    try {
      if (wanted.problem !== undefined) throw new PluginError('unavailable', wanted.problem)
      const source = await resolveSource(wanted.source, { policy, localFolder, sandbox })
      warnPlainText(workspaceId, name, source)
      const run = (conversation: Conversation) =>
        converse({ workspaceId, plugin: name, agentId: defaultAgents.get(workspaceId) }, conversation)
      const platform = await openPlatform({ workspaceId, source, place, run })
      managed.close = platform?.close
      managed.platform = platform
      managed.supervised = supervise({
        name,
        workspaceId,
        source,
        config,
        saved,
        knownManifest,
        readManifest: manifest => readManifest(name, manifest),
        errorsOf: parameters => schemas.errorsOf(parameters, workspaceId),
        settingErrors,
        envVars: {
          ...varsFor(wanted, envVars),
          ...(wanted.copyIndex !== undefined && { PLUGIN_COPY_INDEX: String(wanted.copyIndex) })
        },
        accepted: wanted.accepted,
        platform,
        onState(state) {
          if (state.kind === 'serving') warnVersion(workspaceId, managed)
          if (state.kind === 'failed')
            log('warn', 'gave up on a plugin', { workspaceId, plugin: name, because: state.why })
          notifyListeners()
        }
      })
      const { restart } = managed.supervised
      if (wanted.restartOnChange && source.kind === 'local')
        managed.unwatch = watchFolder(source.cwd, restart)
    } catch (error) {
      managed.error = explain(error).message
      log('warn', 'could not start a plugin', { workspaceId, plugin: name, because: managed.error })
    }
    return managed
  }

  return {
    async keep(workspaceId, plugins, { envVars, defaultAgent }) {
      defaultAgents.set(workspaceId, defaultAgent)
      const current = pluginsOf(workspaceId)
      const digests = plugins.map(plugin => digestOf({ plugin, envVars: varsFor(plugin, envVars) }))
      const removed = current.filter(({ digest }) => !digests.includes(digest))
      // The new plugin may need the old one's port or name, so end the old one first.
      await Promise.all(removed.map(end))
      const next: ManagedPlugin[] = []
      for (const [index, wanted] of plugins.entries()) {
        const digest = digests[index] ?? ''
        const { supervised } = current.find(entry => isSamePlugin(entry.wanted, wanted)) ?? {}
        next.push(
          current.find(entry => entry.digest === digest) ??
            (await start(workspaceId, wanted, digest, envVars, supervised?.manifest))
        )
      }
      byWorkspace.set(workspaceId, next)
      notifyListeners()
    },
    of: workspaceId => pluginsOf(workspaceId).map(({ plugin }) => plugin),
    async ready(workspaceId, milliseconds = 3_000) {
      const isUnsettled = () =>
        pluginsOf(workspaceId).some(
          ({ supervised, leaving, wanted }) =>
            leaving === true ||
            // A remote plugin can be down for days, but a program starts within seconds or fails.
            (supervised?.state.kind === 'starting' &&
              (supervised.restarts === 0 || wanted.source.kind === 'local'))
        )
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, milliseconds)
      const check = () => isUnsettled() || resolve()
      listeners.add(check)
      check()
      await promise
      listeners.delete(check)
      clearTimeout(timer)
      return pluginsOf(workspaceId).map(({ plugin }) => plugin)
    },
    list: workspaceId => pluginsOf(workspaceId).map(statusOf),
    restart(workspaceId, name) {
      const entry = pluginsOf(workspaceId).find(({ wanted }) => wanted.name === name)
      entry?.supervised?.restart()
      return entry !== undefined
    },
    async inspect(workspaceId, at, saved) {
      const signal = AbortSignal.timeout(inspectMs)
      const source = await resolveSource(remoteSource(at), { policy, localFolder: undefined })
      // A plugin that already runs must not lose PlatformHost, because it stores the variables of its last Register.
      const running = pluginsOf(workspaceId).find(
        ({ wanted }) => wanted.accepted !== undefined && isDeepStrictEqual(wanted.source, remoteSource(at))
      )
      const connection = await connectSource(source, {
        workspaceId,
        envVars: {},
        platform: running?.platform,
        logs: new LogRing(),
        clock: machineClock,
        handshakeMs: inspectMs,
        signal
      })
      try {
        const errorsOf: ErrorsOf = parameters => schemas.errorsOf(parameters, workspaceId)
        const read = (manifest: string) => readManifest(undefined, manifest)
        const { calls, envVars } = connection
        return await inspect(calls, { saved, envVars, readManifest: read, errorsOf }, signal)
      } catch (error) {
        if (!signal.aborted) throw error
        throw new PluginError('late', `The plugin did not respond within ${inspectMs / 1000} seconds.`)
      } finally {
        await connection.release(true)
      }
    },
    protos: readProtos,
    async stop() {
      const all = [...byWorkspace.values()].flat()
      byWorkspace.clear()
      await Promise.all(all.map(end))
    }
  }
}

/** Returns the interface of a plugin for the rest of the server. Each call goes to its current process. */
function hosted(getManaged: () => ManagedPlugin, policy: EgressPolicy): HostedPlugin {
  const calls = async ({ signal }: PluginCall) => {
    const { supervised, error, wanted } = getManaged()
    if (supervised === undefined)
      throw new PluginError('unavailable', `The plugin “${wanted.name}” could not be started: ${error}`)
    await supervised.wake(signal)
    return supervised.calls()
  }
  return {
    get name() {
      return getManaged().wanted.name
    },
    get isAdded() {
      return getManaged().wanted.accepted !== undefined
    },
    get isLocal() {
      return getManaged().wanted.source.kind === 'local'
    },
    get schema() {
      return getManaged().supervised?.manifest?.fields
    },
    get fixed() {
      return Object.keys(getManaged().wanted.config)
    },
    options: (from, q) => fetchOptions(policy, getManaged().supervised?.localAddress, from, q),
    get tools() {
      return getManaged().supervised?.introduction?.tools.tools ?? []
    },
    get hasModel() {
      return getManaged().supervised?.introduction?.capabilities.includes('model') ?? false
    },
    get events() {
      const { supervised, wanted } = getManaged()
      return supervised?.introduction?.events ?? (failsClosed(wanted) ? lifecycleTypes : [])
    },
    get failClosed() {
      return getManaged().wanted.failClosed
    },
    get views() {
      return getManaged().supervised?.introduction?.views.views ?? []
    },
    async callTool(tool, args, call) {
      try {
        return await (await calls(call)).executeTool({ name: tool, args }, call)
      } catch (error) {
        return { ok: false, reason: explain(error, call.signal).message }
      }
    },
    async *complete(request, call) {
      yield* (await calls(call)).complete(request, call)
    },
    onEvent: (event, call) => getManaged().heard.of(async () => (await calls(call)).onEvent(event, call)),
    renderView: async (view, call) => (await calls(call)).renderView(view, call),
    handleRoute: async (request, call) => (await calls(call)).handleRoute(request, call),
    async *handleStream(person, outgoing, call) {
      yield* (await calls(call)).handleStream(person, outgoing, call)
    }
  }
}

/** Returns the location of a plugin that an owner added. */
export const remoteSource = ({ source, pin, ca }: PluginAt): SourceText => ({
  kind: 'remote',
  text: source,
  ...((pin ?? ca) !== undefined && { tls: { pin, ca: ca === undefined ? undefined : { text: ca } } })
})

/** True if its hooks, which may not be known yet, cancel events when they fail. */
const failsClosed = ({ failClosed, accepted }: PluginSpec): boolean =>
  failClosed && (accepted?.includes('hooks') ?? true)

/** Returns the workspace's variables that a plugin receives. */
const varsFor = ({ accepted }: PluginSpec, envVars: Record<string, string>): Record<string, string> =>
  accepted === undefined ? envVars : {}

const isSamePlugin = (a: PluginSpec, b: PluginSpec): boolean =>
  a.name === b.name && isDeepStrictEqual(a.source, b.source)

/** Returns the version that the plugin registered with, or else that of its manifest. */
const versionOf = (supervised: Supervised | undefined): string | undefined =>
  supervised?.introduction?.metadata.version ?? supervised?.manifest?.about.version

/**
 * Logs a warning if a plugin's version differs from the workspace file. The plugin still serves: the operator
 * decides.
 */
function warnVersion(workspaceId: string, { wanted, supervised }: ManagedPlugin): void {
  const version = versionOf(supervised)
  if (wanted.version === undefined || version === undefined || wanted.version === version) return
  log('warn', 'the version of a plugin differs from its workspace file', {
    workspaceId,
    plugin: wanted.name,
    version,
    wanted: wanted.version
  })
}

function statusOf({ wanted, supervised, error, heard }: ManagedPlugin): PluginDetails {
  const introduction = supervised?.introduction
  const state = supervised?.state
  const about = supervised?.manifest?.about
  const version = versionOf(supervised)
  return {
    name: wanted.name,
    source: wanted.source.text,
    state:
      state === undefined
        ? { kind: 'failed', why: error ?? 'The plugin was not started.' }
        : { kind: state.kind, ...('why' in state ? { why: state.why } : {}) },
    ...(version === undefined ? {} : { version }),
    ...(wanted.version === undefined ? {} : { wantedVersion: wanted.version }),
    ...(about === undefined ? {} : { about }),
    capabilities: introduction?.capabilities ?? [],
    tools: (introduction?.tools.tools ?? []).map(({ name, description }) => ({ name, description })),
    views: (introduction?.views.views ?? []).map(({ name, label }) => ({ name, label })),
    ...(introduction === undefined || introduction.events.length === 0
      ? {}
      : { hooks: { events: [...introduction.events], ...heard.figures } }),
    ...(introduction === undefined || introduction.withheld.length === 0
      ? {}
      : { withheld: introduction.withheld }),
    skipped: introduction?.skipped ?? [],
    restarts: Math.max(0, supervised?.restarts ?? 0),
    logs: [...(supervised?.logs() ?? [])]
  }
}
