import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Pool } from '#db/client.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'
import { type PostgresProxy, startProxy } from './proxy.ts'

/** A process of `server.ts` that restarts on the same port after a kill. */
export type Process = {
  url: string
  /** Returns whether the process serves: it was not killed, or its successor is ready. */
  isUp(): boolean
  /** Sends SIGKILL. Resolves when the next process serves. */
  kill(): Promise<void>
  /** Send SIGSTOP and SIGCONT. A process that is starting is not affected. */
  stop(): void
  resume(): void
}

/** The number of processes of each kind. `together`: one process with both roles, as in a small installation. */
export type Processes = { webs: number; workers: number } | 'together'

/** A complete Waystation of several processes for the chaos tests. */
export type Cluster = AsyncDisposable & {
  webs: Process[]
  workers: Process[]
  proxy: PostgresProxy
  /** A direct connection to the database that bypasses the proxy. */
  sql: Pool
  /** Servers that ended without being killed. */
  ended: string[]
  /** Sends SIGKILL to Postgres. Resolves when it accepts statements again. */
  killPostgres(): Promise<void>
  /** Sends SIGSTOP to all processes of Postgres. The resolved function sends SIGCONT. */
  stopPostgres(): Promise<() => void>
  /** Calls the API on the server with index `web`. Throws if there is no response within `timeoutMs` ms. */
  request(
    method: string,
    path: string,
    more?: RequestOptions
  ): Promise<{ status: number; body: Record<string, unknown> }>
}
export type RequestOptions = {
  body?: unknown
  text?: string
  /** Replaces the default headers, which send the API key and JSON. */
  headers?: Record<string, string>
  web?: number
  timeoutMs?: number
}

export const apiKey = 'the-admin-key-of-every-test'

/**
 * Starts a crash-safe Postgres, the proxy in front of it, and the servers behind the proxy. The servers log to
 * `directory`.
 */
export async function startCluster({
  processes,
  directory,
  settings,
  isExcused
}: {
  processes: Processes
  directory: string
  settings: Record<string, string>
  /** Returns whether a process that ended had an external cause, such as a failpoint. */
  isExcused: (pid: number | undefined) => boolean
}): Promise<Cluster> {
  await using up = new AsyncDisposableStack()
  const dir = await mkdtemp(join(tmpdir(), 'waystation-chaos-'))
  up.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const database = await startEmbeddedPostgres({ dir, durable: true })
  up.defer(() => database.stop())
  const behind = new URL(database.url)
  const proxy = await startProxy(Number(behind.port))
  up.defer(() => proxy.close())
  behind.port = String(proxy.port)
  const sql = connect(database.url, { max: 2 })
  up.defer(() => sql.end({ timeout: 1 }))

  const shared = {
    DATABASE_URL: behind.href,
    WAYSTATION_API_KEY: apiKey,
    WAYSTATION_DATA_DIR: join(dir, 'files'),
    WAYSTATION_LOG_LEVEL: 'warn',
    WAYSTATION_LIMIT_KEY: '0',
    WAYSTATION_LIMIT_CALLBACK: '0',
    WAYSTATION_LIMIT_OUT_OF_BAND: '0',
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    NODE_COMPILE_CACHE: join(tmpdir(), 'waystation-compile-cache'),
    ...settings
  }
  const ended: string[] = []
  const start = async (role: 'web' | 'worker' | 'all', n: number) => {
    const log = createWriteStream(join(directory, `${role}-${n}.log`))
    const onEnd = (pid: number | undefined, code: number | null) => {
      if (!isExcused(pid)) ended.push(`${role} ${n} ended by itself, with ${code}.`)
    }
    const process = await keepAlive({ ...shared, WAYSTATION_ROLE: role }, log, onEnd)
    up.defer(process.end)
    return process
  }
  // The first server migrates the database before the others start.
  const first = await start(processes === 'together' ? 'all' : 'web', 0)
  const { webs, workers } = processes === 'together' ? { webs: 1, workers: 0 } : processes
  const [moreWebs, workerProcesses] = await Promise.all([
    Promise.all(Array.from({ length: webs - 1 }, (_, n) => start('web', n + 1))),
    Promise.all(Array.from({ length: workers }, (_, n) => start('worker', n)))
  ])
  const all = [first, ...moreWebs]

  const cluster: Omit<Cluster, typeof Symbol.asyncDispose> = {
    webs: all,
    workers: processes === 'together' ? all : workerProcesses,
    proxy,
    sql,
    ended,
    async killPostgres() {
      const pid = async () => (await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]
      // After a recent kill, the file does not exist until Postgres restarts.
      const killed = await retryUntilSuccess(async () => {
        const parsed = Number(await pid())
        process.kill(parsed, 'SIGKILL')
        return parsed
      })
      // The old backends respond for a moment longer, so wait for the new postmaster.
      await retryUntilSuccess(async () => {
        if (Number(await pid()) === killed) throw new Error('Postgres has not been started again.')
        const next = connect(database.url, { max: 1 })
        await next`select 1`.finally(() => next.end({ timeout: 0 }))
      })
    },
    async stopPostgres() {
      const postmaster = Number((await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      // Stop the postmaster first. Otherwise it would start more processes.
      const all = [postmaster, ...children.trim().split(' ').map(Number)].filter(pid => pid > 0)
      const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
        for (const pid of all) sendSignal(pid, name)
      }
      signal('SIGSTOP')
      return () => signal('SIGCONT')
    },
    async request(method, path, { body, text, headers, web = 0, timeoutMs = 5_000 } = {}) {
      const response = await fetch(`${all[web % all.length]?.url}${path}`, {
        method,
        headers: headers ?? { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
        ...(text === undefined && body === undefined ? {} : { body: text ?? JSON.stringify(body) })
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
  }
  const owned = up.move()
  return { ...cluster, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Sends a signal to a process. Returns false if the process does not exist. */
function sendSignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}

/** Retries until `work` does not throw. Rethrows the last error after `timeoutMs` ms. */
export async function retryUntilSuccess<T>(work: () => PromiseLike<T>, timeoutMs = 60_000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(50)
    }
  }
}

/** Starts a server, and restarts it whenever it ends. `onEnd` is called if it was not killed. */
async function keepAlive(
  settings: Record<string, string>,
  log: WriteStream,
  onEnd: (pid: number | undefined, code: number | null) => void
): Promise<Process & { end(): Promise<void> }> {
  let ending = false
  let server: ServerProcess | undefined
  let isUp = false
  const note = (entry: object) =>
    void log.write(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`)
  const start = async (port: string) => {
    const started = await startServer({ ...settings, PORT: port }).catch(error => {
      note({ message: 'It did not start.', error: String(error) })
      throw error
    })
    started.process.stderr?.pipe(log, { end: false })
    server = started
    isUp = true
    return started
  }
  const { url } = await start('0')
  const { port } = new URL(url)
  const killed = new Set<ServerProcess | undefined>()
  let restarted: Promise<unknown> = Promise.resolve()
  /** Restarts the server until the end of the stage. A start fails if Postgres is down. */
  const restart = async () => {
    while (!ending) {
      const current = server
      const code = (await current?.exited) ?? null
      isUp = false
      if (ending) return
      note({ message: 'It ended.', code })
      if (!killed.has(current)) onEnd(current?.process.pid, code)
      // Retries without a limit: on a busy machine, faults interrupt many starts.
      restarted = retryUntilSuccess<unknown>(
        () => (ending ? Promise.resolve() : start(port)),
        Number.POSITIVE_INFINITY
      )
      await restarted
    }
  }
  const restarting = restart()
  const signal = (name: NodeJS.Signals) => void server?.process.kill(name)
  return {
    url: `http://127.0.0.1:${port}`,
    isUp: () => isUp,
    async kill() {
      const victim = server
      isUp = false
      killed.add(victim)
      victim?.process.kill('SIGKILL')
      await victim?.exited
      // The restart loop sees the exit and starts within this tick of the event loop.
      await pause(0)
      await restarted
    },
    stop: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async end() {
      ending = true
      signal('SIGCONT')
      signal('SIGTERM')
      await server?.exited
      await Promise.race([restarting, pause(10_000, undefined, { ref: false })])
      log.end()
    }
  }
}
