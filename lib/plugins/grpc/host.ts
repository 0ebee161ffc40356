import { isDeepStrictEqual } from 'node:util'
import type { Schemas } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { log } from '#lib/kernel/log.ts'
import {
  type Conversation,
  type ConversationEvent,
  type HostedPlugin,
  lifecycleTypes,
  type PluginHost,
  type PluginManifest
} from '#lib/kernel/ports/plugin-host.ts'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import type { PluginDetails } from '#lib/protocol/plugin/plugin.ts'
import { explain } from './explain.ts'
import { fetchOptions } from './fetch-options.ts'
import { openPlatform, type PlatformPlace } from './open-platform.ts'
import { PluginError } from './plugin-error.ts'
import { readProtos } from './read-protos.ts'
import { type SourceText, sourceOf } from './source-of.ts'
import { type Supervised, supervise } from './supervise.ts'
import { Timings } from './timings.ts'
import { warnPlainText } from './warn-plain-text.ts'

/** A plugin as a workspace's file has it. */
export type WantedPlugin = {
  name: string
  source: SourceText
  config: Record<string, string>
  /** What people saved in the form of its settings. */
  saved: Record<string, string>
  /** The version that the file names; undefined: any. */
  version?: string
  /** What its hooks could not judge is cancelled. */
  failClosed: boolean
}

/** One that is kept; `fault`: why it cannot be started as it is written. */
type Kept = {
  wanted: WantedPlugin
  digest: string
  supervised?: Supervised
  fault?: string
  /** Lets go of its address at the platform. */
  close?: (() => Promise<void>) | undefined
  plugin: HostedPlugin
  /** How long its hooks took. */
  heard: Timings
  /** It is being ended; another takes its place in a moment. */
  leaving?: boolean
}

/** The host, and how it is told what to keep running. */
export type KeptPlugins = PluginHost & {
  /**
   * Keeps these of a workspace running and no others. One that is the same as before is left alone. `defaultAgent`: whom those
   * who call back talk to.
   */
  keep: (
    workspaceId: string,
    plugins: readonly WantedPlugin[],
    more: { envVars: Record<string, string>; defaultAgent?: string | undefined }
  ) => Promise<void>
}

/** Who calls back, and whom it talks to; undefined: the workspace's file has no agents. */
export type CallingBack = { workspaceId: string; plugin: string; agentId: string | undefined }

/**
 * Keeps the plugins of all workspaces running in this process, each on its own. `localFolder`: where programs that are plugins
 * may be, absolute; undefined: none may be started. `platform`: where those elsewhere may call back; undefined: they cannot.
 * `converse` has the conversations of those who do. `readManifest` reads a plugin's manifest, and throws a sentence. `schemas` judges the schemas of
 * its tools.
 */
export function pluginHost({
  policy,
  localFolder,
  platform: place,
  converse,
  readManifest,
  schemas
}: {
  policy: EgressPolicy
  localFolder: string | undefined
  platform: PlatformPlace | undefined
  converse: (who: CallingBack, conversation: Conversation) => AsyncIterable<ConversationEvent>
  readManifest: (name: string, manifest: string) => Promise<PluginManifest | undefined>
  schemas: Schemas
}): KeptPlugins {
  const byWorkspace = new Map<string, Kept[]>()
  const defaultAgents = new Map<string, string | undefined>()
  const waiting = new Set<() => void>()
  const changed = () => {
    for (const wake of [...waiting]) wake()
  }
  const kept = (workspaceId: string) => byWorkspace.get(workspaceId) ?? []

  const end = async (one: Kept) => {
    one.leaving = true
    await one.supervised?.stop()
    await one.close?.()
  }

  const start = async (
    workspaceId: string,
    wanted: WantedPlugin,
    digest: string,
    envVars: Record<string, string>,
    knownManifest: PluginManifest | undefined
  ): Promise<Kept> => {
    const { name, config, saved } = wanted
    const one: Kept = { wanted, digest, plugin: hosted(() => one, policy), heard: new Timings() }
    try {
      const source = await sourceOf(wanted.source, { policy, localFolder })
      warnPlainText(workspaceId, name, source)
      const run = (conversation: Conversation) =>
        converse({ workspaceId, plugin: name, agentId: defaultAgents.get(workspaceId) }, conversation)
      const platform = await openPlatform({ workspaceId, source, place, run })
      one.close = platform?.close
      one.supervised = supervise({
        name,
        source,
        config,
        saved,
        knownManifest,
        readManifest: manifest => readManifest(name, manifest),
        faultsOf: found => schemas.faultsOf(found, workspaceId),
        envVars,
        platform,
        onState({ kind }) {
          if (kind === 'serving') warnVersion(workspaceId, one)
          changed()
        }
      })
    } catch (error) {
      one.fault = explain(error).message
      log('warn', 'could not start a plugin', { plugin: name, because: one.fault })
    }
    return one
  }

  return {
    async keep(workspaceId, plugins, { envVars, defaultAgent }) {
      defaultAgents.set(workspaceId, defaultAgent)
      const before = kept(workspaceId)
      const digests = plugins.map(plugin => digestOf({ plugin, envVars }))
      const gone = before.filter(({ digest }) => !digests.includes(digest))
      // A port or a name that the old one has may be what the new one wants.
      await Promise.all(gone.map(end))
      const now: Kept[] = []
      for (const [at, wanted] of plugins.entries()) {
        const digest = digests[at] ?? ''
        const { supervised } = before.find(one => isSamePlugin(one.wanted, wanted)) ?? {}
        now.push(
          before.find(one => one.digest === digest) ??
            (await start(workspaceId, wanted, digest, envVars, supervised?.manifest))
        )
      }
      byWorkspace.set(workspaceId, now)
      changed()
    },
    of: workspaceId => kept(workspaceId).map(({ plugin }) => plugin),
    async settled(workspaceId, milliseconds) {
      const isUnsettled = () =>
        kept(workspaceId).some(
          ({ supervised, leaving }) =>
            leaving === true || (supervised?.state.kind === 'starting' && supervised.restarts === 0)
        )
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, milliseconds)
      const look = () => isUnsettled() || resolve()
      waiting.add(look)
      look()
      await promise
      waiting.delete(look)
      clearTimeout(late)
    },
    list: workspaceId => kept(workspaceId).map(statusOf),
    restart(workspaceId, name) {
      const one = kept(workspaceId).find(({ wanted }) => wanted.name === name)
      one?.supervised?.restart()
      return one !== undefined
    },
    protos: readProtos,
    async stop() {
      const all = [...byWorkspace.values()].flat()
      byWorkspace.clear()
      await Promise.all(all.map(end))
    }
  }
}

/** What the rest of the server has of a plugin: each call goes to the plugin as it is by then. */
function hosted(one: () => Kept, policy: EgressPolicy): HostedPlugin {
  const calls = () => {
    const { supervised, fault, wanted } = one()
    if (supervised === undefined)
      throw new PluginError('unavailable', `The plugin “${wanted.name}” could not be started: ${fault}`)
    return supervised.calls()
  }
  return {
    get name() {
      return one().wanted.name
    },
    get schema() {
      return one().supervised?.manifest?.fields
    },
    get fixed() {
      return Object.keys(one().wanted.config)
    },
    options: (from, q) => fetchOptions(policy, one().supervised?.localAddress, from, q),
    get tools() {
      return one().supervised?.introduction?.tools.tools ?? []
    },
    get hasModel() {
      return one().supervised?.introduction?.capabilities.includes('model') ?? false
    },
    get events() {
      const { supervised, wanted } = one()
      return supervised?.introduction?.events ?? (wanted.failClosed ? lifecycleTypes : [])
    },
    get failClosed() {
      return one().wanted.failClosed
    },
    get views() {
      return one().supervised?.introduction?.views.views ?? []
    },
    async callTool(tool, args, signal) {
      try {
        // How long it may take is the caller's to say: the signal ends it.
        return await calls().executeTool({ name: tool, args }, { signal, timeoutMs: 3_600_000 })
      } catch (error) {
        return { ok: false, reason: explain(error, signal).message }
      }
    },
    async *complete(request, signal) {
      yield* calls().complete(request, { signal })
    },
    onEvent: (event, signal) => one().heard.of(async () => calls().onEvent(event, { signal })),
    renderView: async (view, signal) => calls().renderView(view, { signal }),
    handleRoute: async (request, signal) => calls().handleRoute(request, { signal }),
    async *handleStream(person, outgoing, signal) {
      yield* calls().handleStream(person, outgoing, { signal })
    }
  }
}

const isSamePlugin = (a: WantedPlugin, b: WantedPlugin): boolean =>
  a.name === b.name && isDeepStrictEqual(a.source, b.source)

/** The version that a plugin registered with, or else its manifest's. */
const versionOf = (supervised: Supervised | undefined): string | undefined =>
  supervised?.introduction?.metadata.version ?? supervised?.manifest?.about.version

/** One that is of another version than the workspace's file says serves all the same: who looks after it decides. */
function warnVersion(workspaceId: string, { wanted, supervised }: Kept): void {
  const version = versionOf(supervised)
  if (wanted.version === undefined || version === undefined || wanted.version === version) return
  log('warn', 'the version of a plugin differs from its workspace file', {
    workspaceId,
    plugin: wanted.name,
    version,
    wanted: wanted.version
  })
}

function statusOf({ wanted, supervised, fault, heard }: Kept): PluginDetails {
  const said = supervised?.introduction
  const state = supervised?.state
  const about = supervised?.manifest?.about
  const version = versionOf(supervised)
  return {
    name: wanted.name,
    source: wanted.source.text,
    state:
      state === undefined
        ? { kind: 'failed', why: fault ?? 'The plugin was not started.' }
        : { kind: state.kind, ...('why' in state ? { why: state.why } : {}) },
    ...(version === undefined ? {} : { version }),
    ...(wanted.version === undefined ? {} : { wantedVersion: wanted.version }),
    ...(about === undefined ? {} : { about }),
    capabilities: said?.capabilities ?? [],
    tools: (said?.tools.tools ?? []).map(({ name, description }) => ({ name, description })),
    views: (said?.views.views ?? []).map(({ name, label }) => ({ name, label })),
    ...(said === undefined || said.events.length === 0
      ? {}
      : { hooks: { events: [...said.events], ...heard.figures } }),
    skipped: said?.skipped ?? [],
    restarts: Math.max(0, supervised?.restarts ?? 0),
    logs: (supervised?.logs() ?? []).map(({ stream, text }) => ({ stream, text }))
  }
}
