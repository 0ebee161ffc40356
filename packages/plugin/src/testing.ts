import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEgressPolicy } from '@waystation/egress'
import { parseAddress } from '@waystation/plugin-host/address.ts'
import { machineClock } from '@waystation/plugin-host/clock.ts'
import { connectPlugin, type PluginCalls } from '@waystation/plugin-host/connect-plugin.ts'
import { connectSource } from '@waystation/plugin-host/connect-source.ts'
import { introduce } from '@waystation/plugin-host/introduce.ts'
import { LogRing } from '@waystation/plugin-host/log-ring.ts'
import { PluginError } from '@waystation/plugin-host/plugin-error.ts'
import type { Plugin } from './plugin.ts'
import { readManifest } from './server.ts'
import { callsOf } from './test-calls.ts'
import type { PluginTestCalls, TestIds } from './test-types.ts'

export type { PluginTestCalls, ReadBlock, ReadComponent, TestIds, TestMessage } from './test-types.ts'

/**
 * A program that is a plugin, in any language, or a folder with a program named `plugin`. Default of `cwd`: its own
 * folder.
 */
export type PluginProgram = { program: string; args?: string[]; cwd?: string }

/**
 * The options of a test. Without IDs, a call has the session `test`, the user `person:test`, and an ID and an
 * idempotency key of its own. Each call can replace them.
 */
export type PluginTestOptions = {
  /** The settings, as in `config { }` of a workspace file. They override the defaults of the manifest. */
  settings?: Record<string, string | number | boolean>
  /** The variables of the workspace. */
  env?: Record<string, string>
  /** Default: `default`. */
  workspaceId?: string
} & TestIds

/** A plugin that is running for a test, and its calls. */
export type PluginTest = PluginTestCalls & {
  name: string
  /** `host:port`. Calls need the token, which only this host has. */
  address: string
  tools: { name: string; description: string; parameters: Record<string, unknown> }[]
  views: {
    name: string
    label: string
    icon: string
    scope: string
    routes: { method: string; path: string }[]
  }[]
  /** The events that it receives. */
  events: readonly string[]
  /** Its tools and views that the server would skip, with the reason. */
  skipped: { name: string; reason: string }[]
  /** The output of a program, by line. */
  logs(): string[]
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a plugin and calls it as a server does: with a token, through the handshake of a program, GetManifest,
 * Register, ListTools and ListViews. Throws if one of these fails.
 */
export async function testPlugin(
  plugin: Plugin | PluginProgram,
  { settings = {}, env = {}, workspaceId = 'default', ...ids }: PluginTestOptions = {}
): Promise<PluginTest> {
  const { signal } = new AbortController()
  const running =
    'program' in plugin
      ? await startProgram(plugin, { envVars: env, workspaceId, signal })
      : await startHere(plugin, { envVars: env, workspaceId })
  const { calls, logs, stop } = running
  try {
    const { manifest } = readManifest(await calls.manifest())
    const config = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
    const fields = manifest.fields.map(({ uiType: ui_type, ...field }) => ({ ...field, ui_type }))
    const { name, version, description, author, type } = manifest
    const introduction = {
      config,
      saved: {},
      envVars: running.envVars,
      readManifest: async () => ({ name, about: { version, description, author, type }, fields }),
      errorsOf: async (schemas: readonly object[]) => schemas.map(() => null),
      settingErrors: async () => ({})
    }
    const { tools, views, events, skipped } = await introduce(calls, name, introduction, signal)
    const about = { name, address: running.address, tools: tools.tools, views: views.views, events, skipped }
    return { ...about, ...callsOf(calls, workspaceId, ids), logs, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Running = {
  address: string
  calls: PluginCalls
  envVars: Record<string, string>
  logs(): string[]
  stop(): Promise<void>
}

/** Listens in this process, without its variables. Those of the workspace arrive with Register, as for a remote plugin. */
async function startHere(
  plugin: Plugin,
  { envVars, workspaceId }: { envVars: Record<string, string>; workspaceId: string }
): Promise<Running> {
  const token = randomBytes(32).toString('base64url')
  const listening = await plugin.listen({ address: '127.0.0.1:0', token, env: {} })
  const address = parseAddress(`remote://${listening.address}`)
  const calls = connectPlugin(address, { policy: parseEgressPolicy(listening.address), token, workspaceId })
  const stop = async () => {
    calls.close('The test has ended.')
    await listening.close()
  }
  return { address: listening.address, calls, envVars, logs: () => [], stop }
}

async function startProgram(
  { program, args = [], cwd }: PluginProgram,
  {
    envVars,
    workspaceId,
    signal
  }: { envVars: Record<string, string>; workspaceId: string; signal: AbortSignal }
): Promise<Running> {
  const path = resolve(program)
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  const command = isFolder ? join(path, 'plugin') : path
  const lines = new LogRing()
  const connection = await connectSource(
    { kind: 'local', command, args, cwd: cwd === undefined ? dirname(command) : resolve(cwd) },
    {
      workspaceId,
      envVars: { ...envVars, PLUGIN_COPY_INDEX: '0' },
      logs: lines,
      clock: machineClock,
      handshakeMs: 10_000,
      signal
    }
  ).catch(error => {
    // Shows the output, which the server shows only in the plugin's log.
    if (!(error instanceof PluginError) || error.output === undefined) throw error
    throw new PluginError(error.reason, `${error.message} Last output: ${error.output}`, { cause: error })
  })
  return {
    address: connection.localAddress?.url.host ?? '',
    calls: connection.calls,
    envVars: connection.envVars,
    logs: () => lines.lines().map(({ text }) => text),
    stop: () => connection.release(true)
  }
}
