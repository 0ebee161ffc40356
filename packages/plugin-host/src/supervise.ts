import { log } from '@waystation/base/log.ts'
import type { PluginAddress } from './address.ts'
import { type Clock, machineClock } from './clock.ts'
import type { PluginCalls } from './connect-plugin.ts'
import {
  connectSource,
  type PlatformAddress,
  type PluginConnection,
  type PluginSource
} from './connect-source.ts'
import type { PluginManifest } from './contract.ts'
import { explain } from './explain.ts'
import { introduce, type PluginDescription, type RegistrationInput } from './introduce.ts'
import { type LogLine, LogRing } from './log-ring.ts'
import { PluginError } from './plugin-error.ts'
import { defaultTiming, type PluginState, type Timing } from './plugin-state.ts'
import type { Capability } from './self-calls.ts'
import { watchHealth } from './watch-health.ts'

/** A supervised plugin. The properties always show its current state. */
export type Supervised = {
  readonly name: string
  readonly state: PluginState
  /** The description from its last successful start. */
  readonly introduction: PluginDescription | undefined
  /** The last readable manifest, even if the plugin cannot register without its settings. */
  readonly manifest: PluginManifest | undefined
  /** The process ID, while a local plugin serves. */
  readonly pid: number | undefined
  /** The address of a local plugin's process, set even before it has registered. */
  readonly localAddress: PluginAddress | undefined
  /** The number of starts after the first. */
  readonly restarts: number
  /** Its newest log lines, oldest first. */
  logs(): readonly LogLine[]
  /**
   * Returns its calls while it serves. Do not store them: they end at a restart. Throws `PluginError`
   * `unavailable` otherwise.
   */
  calls(): PluginCalls
  /**
   * Prepares a call. If a remote plugin waits for its next start, it starts now. Resolves when that has succeeded or
   * failed, after two seconds, or when `signal` aborts.
   */
  wake(signal?: AbortSignal): Promise<void>
  /** Starts it again at once, even after it failed. */
  restart(): void
  /** Ends the plugin. Resolves once its process has ended. */
  stop(): Promise<void>
}

/**
 * Keeps one plugin of one workspace running until `stop`. Its states:
 *
 * - **starting**: the process starts, reports its address, registers and lists its tools and views.
 * - **serving**: it is called, and its health is checked every 10 s.
 * - **unhealthy**: a health check failed (timeout, error or NOT_SERVING). It is still called, and serves again
 *   after the next good check.
 * - **restarting**: after three failed checks in a row, or when its process ended. The group is killed, and
 *   open calls end with "unavailable". The next start follows after 250 ms, then twice as long each time, up to
 *   30 s. Once it has served for 60 s, the delay starts over. For a remote plugin, it also does after 10 s, and when a
 *   call needs the plugin, which ends the wait.
 * - **failed**: a local plugin that failed five times in a row is left alone until `restart`. A remote plugin
 *   is retried forever, because it is started elsewhere. It fails only if its address may not be called.
 * - **stopped**: the final state.
 *
 * `onState` receives each change, the first one before this function returns. Its errors are logged.
 */
export function supervise({
  name,
  workspaceId,
  source,
  config,
  saved = {},
  knownManifest,
  readManifest = async () => undefined,
  errorsOf = async schemas => schemas.map(() => null),
  settingErrors = async () => ({}),
  envVars,
  accepted,
  platform,
  onState = () => undefined,
  clock = machineClock,
  timing = {}
}: {
  name: string
  workspaceId?: string
  source: PluginSource
  config: Record<string, string>
  saved?: Record<string, string>
  /** The manifest from before its settings changed, used until the plugin registers again. */
  knownManifest?: PluginManifest | undefined
  readManifest?: RegistrationInput['readManifest']
  /** Without it, the schemas of its tools are not checked. */
  errorsOf?: RegistrationInput['errorsOf']
  settingErrors?: RegistrationInput['settingErrors']
  /**
   * The workspace's variables: the environment of a local plugin. A remote plugin receives them with Register.
   */
  envVars: Record<string, string>
  /** The only capabilities to use. Undefined: all. */
  accepted?: readonly Capability[] | undefined
  platform?: PlatformAddress | undefined
  onState?: (state: PluginState) => void
  clock?: Clock
  timing?: Partial<Timing>
}): Supervised {
  const times: Timing = { ...defaultTiming, ...timing }
  let manifest = knownManifest
  const registration = {
    config,
    saved,
    accepted,
    errorsOf,
    settingErrors,
    async readManifest(text: string) {
      manifest = await readManifest(text)
      return manifest
    }
  }
  const logs = new LogRing()
  let state: PluginState = { kind: 'starting' }
  let introduction: PluginDescription | undefined
  let reached: PluginConnection | undefined
  let localAddress: PluginAddress | undefined
  let restarts = -1
  let stopping = false
  /** Aborts the current run, or the wait before the next one. */
  let current = new AbortController()
  /** Ends the wait of a remote plugin before its next start. Returns false if the last start has only just failed. */
  let endWait: (() => boolean) | undefined
  /** Resolves when a start that a call needed has succeeded or failed. */
  let woken: PromiseWithResolvers<void> | undefined

  const become = (next: PluginState) => {
    state = next
    if (next.kind !== 'starting') {
      woken?.resolve()
      woken = undefined
    }
    try {
      onState(next)
    } catch (error) {
      log('error', 'a listener for plugin states failed', { plugin: name, error })
    }
  }

  /** Runs the plugin once, from start to end. Returns why it ended and how long it served, in milliseconds. */
  const runOnce = async (
    signal: AbortSignal
  ): Promise<{ why: string; served: number; hopeless: boolean }> => {
    let since: number | undefined
    let connection: PluginConnection | undefined
    const served = () => (since === undefined ? 0 : clock.now() - since)
    try {
      restarts += 1
      become({ kind: 'starting' })
      if (source.kind === 'local') logs.add('server', 'The server started the program.')
      const handshakeMs = times.handshake
      connection = await connectSource(source, {
        workspaceId,
        envVars,
        platform,
        logs,
        clock,
        handshakeMs,
        signal
      })
      localAddress = connection.localAddress
      const { calls, envVars: registeredVars } = connection
      const register = async () => {
        introduction = await introduce(calls, name, { ...registration, envVars: registeredVars }, signal)
      }
      await register()
      since = clock.now()
      reached = connection
      become({ kind: 'serving' })
      return {
        why: await watchHealth(connection, {
          clock,
          times,
          signal,
          become,
          async introduce() {
            await register()
            become({ kind: 'serving' })
          }
        }),
        served: served(),
        hopeless: false
      }
    } catch (error) {
      const { reason, message } = explain(error, signal)
      return { why: message, served: served(), hopeless: reason === 'blocked' }
    } finally {
      reached = undefined
      localAddress = undefined
      // Its program can take seconds to end. It is no longer called in this time.
      if (signal.aborted && state.kind !== 'starting') become({ kind: 'starting' })
      await connection?.release(signal.aborted)
    }
  }

  /** Waits before the next start. Returns true if a call ended the wait. */
  const isCutShort = async (waitMs: number, signal: AbortSignal): Promise<boolean> => {
    const needed = new AbortController()
    const failedAt = clock.now()
    if (source.kind === 'remote')
      endWait = () => {
        if (clock.now() - failedAt < times.backoff.first) return false
        needed.abort()
        return true
      }
    await clock.wait(waitMs, AbortSignal.any([signal, needed.signal]))
    endWait = undefined
    return needed.signal.aborted
  }

  const loop = async () => {
    for (let failures = 0; !stopping; ) {
      const { signal } = current
      const { why, served, hopeless } = await runOnce(signal)
      if (source.kind === 'local')
        logs.add('server', signal.aborted ? 'The server stopped the program.' : `The program ended: ${why}`)
      if (signal.aborted) {
        failures = 0
        current = new AbortController()
        continue
      }
      const steady = source.kind === 'local' ? times.steady : times.steadyRemote
      failures = served >= steady ? 1 : failures + 1
      if (hopeless || (source.kind === 'local' && failures >= times.failures)) {
        become({ kind: 'failed', why })
        if (!signal.aborted)
          await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      } else {
        const waitMs = Math.min(times.backoff.longest, times.backoff.first * 2 ** (failures - 1))
        become({ kind: 'restarting', why, waitMs })
        if (await isCutShort(waitMs, signal)) failures = 0
      }
      if (!signal.aborted) continue
      failures = 0
      current = new AbortController()
    }
    become({ kind: 'stopped' })
  }
  const loopEnded = loop()

  return {
    name,
    get state() {
      return state
    },
    get introduction() {
      return introduction
    },
    get manifest() {
      return manifest
    },
    get pid() {
      return reached?.pid
    },
    get localAddress() {
      return localAddress
    },
    get restarts() {
      return restarts
    },
    logs: () => logs.lines(),
    calls() {
      if (reached !== undefined) return reached.calls
      const why = 'why' in state ? `: ${state.why}` : ''
      const verb = state.kind === 'failed' ? 'has' : 'is'
      throw new PluginError(
        'unavailable',
        `The plugin “${name}” ${verb} ${state.kind}${why}.`.replace(/\.+$/, '.')
      )
    },
    async wake(signal) {
      if (woken === undefined && endWait?.()) woken = Promise.withResolvers()
      if (woken === undefined) return
      const done = new AbortController()
      const stopped = AbortSignal.any([done.signal, ...(signal ? [signal] : [])])
      await Promise.race([woken.promise, clock.wait(times.wake, stopped)])
      done.abort()
    },
    restart: () => current.abort(),
    async stop() {
      stopping = true
      current.abort()
      await loopEnded
    }
  }
}
