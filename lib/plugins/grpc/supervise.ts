import { log } from '#lib/kernel/log.ts'
import type { PluginManifest } from '#lib/kernel/ports/plugin-host.ts'
import type { PluginAddress } from './address.ts'
import { type Clock, machineClock } from './clock.ts'
import type { PluginCalls } from './connect-plugin.ts'
import { explain } from './explain.ts'
import { type Introduction, introduce, type Told } from './introduce.ts'
import { type LogLine, LogRing } from './log-ring.ts'
import { PluginError } from './plugin-error.ts'
import { type PluginState, type Timing, usual } from './plugin-state.ts'
import { type PlatformAddress, type PluginSource, type Reached, reach } from './reach.ts'
import { watchHealth } from './watch-health.ts'

export type Supervised = {
  readonly name: string
  readonly state: PluginState
  /** What it said of itself at its last start that came so far. */
  readonly introduction: Introduction | undefined
  /** The last manifest that could be read: also of one that does not register without its settings. */
  readonly manifest: PluginManifest | undefined
  /** Of its process, while there is one. */
  readonly pid: number | undefined
  /** Where the process of a local one listens, also before it has registered. */
  readonly localAddress: PluginAddress | undefined
  /** How often it was started anew since the first time. */
  readonly restarts: number
  /** What it wrote, the newest lines, oldest first. */
  logs(): readonly LogLine[]
  /** Its calls, while it serves. Throws `PluginError` `unavailable` otherwise: never keep them. */
  calls(): PluginCalls
  /** Starts it anew at once, also one that failed. */
  restart(): void
  /** Ends it. Resolves when nothing of it is left. */
  stop(): Promise<void>
}

/**
 * Keeps one plugin of one workspace running until `stop`.
 *
 * It is **starting** while its process starts, says where it listens, registers under its name and says what it has. Then it is
 * **serving**, and asked for its health every 10 s. One miss (late, failed, NOT_SERVING) makes it **unhealthy**: it is still
 * called, and serving again with the next good answer. At the third in a row, and whenever its process ends, it is given up: its
 * group is killed, its open calls end with "unavailable", and it is **restarting**, which means waiting: 250 ms, then twice as
 * long each time up to 30 s, from the beginning again after it has served for 60 s. Then it is starting once more. A local one
 * that came to nothing five times in a row is **failed** and left alone until `restart`. A remote one is tried for ever, since
 * somebody else starts it, and registers anew when it is back; only one whose address may not be called is failed. **Stopped**
 * is the end.
 *
 * `onState` is told each change, the first before this returns; what it throws is logged.
 */
export function supervise({
  name,
  source,
  config,
  saved = {},
  knownManifest,
  readManifest = async () => undefined,
  faultsOf = async schemas => schemas.map(() => null),
  envVars,
  platform,
  onState = () => undefined,
  clock = machineClock,
  timing = {}
}: {
  name: string
  source: PluginSource
  config: Record<string, string>
  saved?: Record<string, string>
  /** The manifest from before its settings changed. It counts until the plugin registers again. */
  knownManifest?: PluginManifest | undefined
  readManifest?: Told['readManifest']
  /** Without it the schemas of its tools are not judged before they are used. */
  faultsOf?: Told['faultsOf']
  /** The workspace's: in a local plugin's environment, and told to a remote one by Register. */
  envVars: Record<string, string>
  platform?: PlatformAddress | undefined
  onState?: (state: PluginState) => void
  clock?: Clock
  timing?: Partial<Timing>
}): Supervised {
  const times: Timing = { ...usual, ...timing }
  let manifest = knownManifest
  const told = {
    config,
    saved,
    faultsOf,
    async readManifest(text: string) {
      manifest = await readManifest(text)
      return manifest
    }
  }
  const logs = new LogRing()
  let state: PluginState = { kind: 'starting' }
  let introduction: Introduction | undefined
  let reached: Reached | undefined
  let localAddress: PluginAddress | undefined
  let restarts = -1
  let stopping = false
  /** Ends the life at hand, or the wait for the next. */
  let now = new AbortController()

  const become = (next: PluginState) => {
    state = next
    try {
      onState(next)
    } catch (error) {
      log('error', 'a listener for plugin states failed', { plugin: name, error })
    }
  }

  /** From start to end; why it ended, and for how long it served. */
  const live = async (signal: AbortSignal): Promise<{ why: string; served: number; hopeless: boolean }> => {
    let since: number | undefined
    let mine: Reached | undefined
    const served = () => (since === undefined ? 0 : clock.now() - since)
    try {
      restarts += 1
      become({ kind: 'starting' })
      const handshakeMs = times.handshake
      mine = await reach(source, { envVars, platform, logs, clock, handshakeMs, signal })
      localAddress = mine.localAddress
      const said = await introduce(mine.calls, name, { ...told, envVars: mine.envVars }, signal)
      since = clock.now()
      introduction = said
      reached = mine
      become({ kind: 'serving' })
      return {
        why: await watchHealth(mine, { clock, times, signal, become }),
        served: served(),
        hopeless: false
      }
    } catch (error) {
      const { fault, message } = explain(error, signal)
      return { why: message, served: served(), hopeless: fault === 'blocked' }
    } finally {
      reached = undefined
      localAddress = undefined
      await mine?.release(signal.aborted)
    }
  }

  const run = async () => {
    for (let failures = 0; !stopping; ) {
      const { signal } = now
      const { why, served, hopeless } = await live(signal)
      if (signal.aborted) {
        failures = 0
        now = new AbortController()
        continue
      }
      failures = served >= times.steady ? 1 : failures + 1
      if (hopeless || (source.kind === 'local' && failures >= times.failures)) {
        become({ kind: 'failed', why })
        if (!signal.aborted)
          await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      } else {
        const waitMs = Math.min(times.backoff.longest, times.backoff.first * 2 ** (failures - 1))
        become({ kind: 'restarting', why, waitMs })
        await clock.wait(waitMs, signal)
      }
      if (!signal.aborted) continue
      failures = 0
      now = new AbortController()
    }
    become({ kind: 'stopped' })
  }
  const over = run()

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
      throw new PluginError(
        'unavailable',
        `The plugin “${name}” is ${state.kind}${why}.`.replace(/\.+$/, '.')
      )
    },
    restart: () => now.abort(),
    async stop() {
      stopping = true
      now.abort()
      await over
    }
  }
}
