import { type EgressPolicy, parseEgressPolicy } from '#lib/net/egress-policy.ts'
import type { PluginAddress } from './address.ts'
import type { Clock } from './clock.ts'
import { connectPlugin, type PluginCalls } from './connect-plugin.ts'
import { localEnv } from './local-env.ts'
import type { LogRing } from './log-ring.ts'
import { newToken } from './new-token.ts'
import { readTls, type TlsText } from './read-tls.ts'
import { type LocalCommand, startProcess } from './start-process.ts'

/** Where a plugin is: elsewhere, called as `policy` allows; or a program of this machine. */
export type PluginSource =
  | {
      kind: 'remote'
      address: PluginAddress
      policy: EgressPolicy
      tls?: TlsText | undefined
    }
  | ({ kind: 'local' } & Omit<LocalCommand, 'env'>)

/** Where the plugin finds the platform, and its token for that. */
export type PlatformAddress = { address: string; token: string }

/** A plugin that can be called. `gone` resolves with why when its process ended; of a remote one it never does. */
export type Reached = {
  calls: PluginCalls
  pid?: number
  /** Where the process of a local one listens. */
  localAddress?: PluginAddress
  gone: Promise<string>
  /** What Register tells it of its environment. */
  envVars: Record<string, string>
  /** Lets go of it; a local one is ended. */
  release(gently: boolean): Promise<void>
}

type Way = {
  envVars: Record<string, string>
  platform?: PlatformAddress | undefined
  logs: LogRing
  clock: Clock
  handshakeMs: number
  signal: AbortSignal
}

/**
 * Starts a local plugin, or makes ready to call a remote one, whose certificates are read again each time. The environment of a local one is built, and nothing of the
 * server's is in it; it may be called on the address that it named and on no other. Throws `PluginError`.
 */
export async function reach(source: PluginSource, way: Way): Promise<Reached> {
  const { platform } = way
  const ofPlatform: Record<string, string> = platform
    ? { PLATFORM_HOST_ADDR: platform.address, PLATFORM_HOST_TOKEN: platform.token }
    : {}
  if (source.kind === 'remote') {
    const { address, policy } = source
    const calls = connectPlugin(address, { policy, tls: source.tls && (await readTls(source.tls)) })
    return {
      calls,
      gone: new Promise(() => undefined),
      envVars: { ...way.envVars, ...ofPlatform },
      async release() {
        calls.close('The plugin is unavailable: Waystation closed the connection.')
      }
    }
  }
  const token = newToken()
  const env = localEnv({ cwd: source.cwd, token, more: { ...way.envVars, ...ofPlatform } })
  const { logs, clock, handshakeMs, signal } = way
  const started = await startProcess({ ...source, env }, { logs, clock, withinMs: handshakeMs, signal })
  const { host, port } = started.address.target
  const here = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const calls = connectPlugin(started.address, { policy: parseEgressPolicy(here), token })
  const gone = started.ended.then(why => {
    calls.close(`The plugin is unavailable: ${why}.`)
    return why
  })
  return {
    calls,
    pid: started.pid,
    localAddress: started.address,
    gone,
    envVars: {},
    async release(gently) {
      await started.end(gently)
      calls.close('The plugin is unavailable: Waystation closed the connection.')
    }
  }
}
