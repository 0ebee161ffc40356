import { type EgressPolicy, parseEgressPolicy } from '@waystation/egress'
import type { PluginAddress } from './address.ts'
import type { Clock } from './clock.ts'
import { connectPlugin, type PluginCalls } from './connect-plugin.ts'
import { localEnv } from './local-env.ts'
import type { LogRing } from './log-ring.ts'
import { readTls, type TlsText } from './read-tls.ts'
import { type LocalCommand, type SandboxedCommand, startProcess } from './start-process.ts'
import { newToken } from './token.ts'

/** The location of a plugin: a remote address, called as `policy` allows, or a program on this machine. */
export type PluginSource =
  | {
      kind: 'remote'
      address: PluginAddress
      policy: EgressPolicy
      tls?: TlsText | undefined
    }
  | ({ kind: 'local'; sandbox?: SandboxLocal | undefined } & Omit<LocalCommand, 'env'>)

/** Returns the command that runs a local plugin in a sandbox. Throws an Error with a sentence if there is none. */
export type SandboxLocal = (local: LocalCommand) => Promise<SandboxedCommand>

/** The address of PlatformHost for a plugin, and the plugin's token for it. */
export type PlatformAddress = { address: string; token: string }

/**
 * A plugin that can be called. `gone` resolves with the reason when its process ends; for a remote plugin it
 * never resolves.
 */
export type PluginConnection = {
  calls: PluginCalls
  pid?: number
  /** The address of a local plugin's process. */
  localAddress?: PluginAddress
  gone: Promise<string>
  /**
   * Resolves after the next loss of the connection to a remote plugin, which may have restarted. Never resolves for a
   * local plugin.
   */
  lost: () => Promise<void>
  /** The environment variables to send with Register. */
  envVars: Record<string, string>
  /** Closes the connection. Also ends the process of a local plugin. */
  release(gently: boolean): Promise<void>
}

type Options = {
  workspaceId?: string | undefined
  envVars: Record<string, string>
  platform?: PlatformAddress | undefined
  logs: LogRing
  clock: Clock
  handshakeMs: number
  signal: AbortSignal
}

/**
 * Starts a local plugin, or prepares the connection to a remote one and reads its certificates again. A local
 * plugin's environment contains no variable of the server. Only the address that the plugin reported can be
 * called. Throws `PluginError`.
 */
export async function connectSource(source: PluginSource, options: Options): Promise<PluginConnection> {
  const { platform, workspaceId } = options
  const platformVars: Record<string, string> = platform
    ? { PLATFORM_HOST_ADDR: platform.address, PLATFORM_HOST_TOKEN: platform.token }
    : {}
  if (source.kind === 'remote') {
    const { address, policy } = source
    let loss = Promise.withResolvers<void>()
    const onLost = () => {
      loss.resolve()
      loss = Promise.withResolvers()
    }
    const calls = connectPlugin(address, {
      policy,
      onLost,
      workspaceId,
      tls: source.tls && (await readTls(source.tls))
    })
    return {
      calls,
      gone: new Promise(() => undefined),
      lost: () => loss.promise,
      envVars: { ...options.envVars, ...platformVars },
      async release() {
        calls.close('The plugin is unavailable: Waystation closed the connection.')
      }
    }
  }
  const token = newToken()
  const env = localEnv({ cwd: source.cwd, token, more: { ...options.envVars, ...platformVars } })
  const { logs, clock, handshakeMs, signal } = options
  const local = { ...source, env }
  const command = (await source.sandbox?.(local)) ?? local
  const started = await startProcess(command, { logs, clock, withinMs: handshakeMs, signal })
  const { host, port } = started.address.target
  const ownAddress = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const calls = connectPlugin(started.address, { policy: parseEgressPolicy(ownAddress), token, workspaceId })
  const gone = started.ended.then(why => {
    calls.close(`The plugin is unavailable: ${why}.`)
    return why
  })
  return {
    calls,
    pid: started.pid,
    localAddress: started.address,
    gone,
    lost: () => new Promise(() => undefined),
    envVars: {},
    async release(gently) {
      await started.end(gently)
      calls.close('The plugin is unavailable: Waystation closed the connection.')
    }
  }
}
