import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Pool } from '#db/client.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { startServer, type TestServer } from '#tests/support/worlds/start-server.ts'
import { startProxy, type Wire } from './proxy.ts'

/** A process of `server.ts` that is started again when it is killed, on the same port. */
export type Process = {
  url: string
  /** Whether it serves: nobody killed it, or the next one has come. */
  isUp(): boolean
  /** SIGKILL; resolves when the next one serves. */
  kill(): Promise<void>
  /** SIGSTOP, and SIGCONT. A process that is being started is left alone. */
  stop(): void
  goOn(): void
}

/** How many processes there are of each kind; `together`: one that is both, as somebody runs it at home. */
export type Processes = { webs: number; workers: number } | 'together'

/** A whole Waystation over several processes, to be treated badly. */
export type Stage = AsyncDisposable & {
  webs: Process[]
  workers: Process[]
  proxy: Wire
  /** A way of our own to the database, beside the proxy. */
  sql: Pool
  /** Servers that ended though nobody killed them. */
  ended: string[]
  /** SIGKILL of Postgres; resolves when it takes statements again. */
  killPostgres(): Promise<void>
  /** SIGSTOP of all its processes, and SIGCONT when what it resolves with is called. */
  stopPostgres(): Promise<() => void>
  /** Asks the API: any of the servers, or this one. Throws when there is no answer within `patience` ms. */
  ask(method: string, path: string, more?: Asking): Promise<{ status: number; body: Record<string, unknown> }>
}
export type Asking = {
  body?: unknown
  text?: string
  /** Instead of those of somebody who has the key and sends JSON. */
  headers?: Record<string, string>
  web?: number
  patience?: number
}

export const apiKey = 'the-admin-key-of-every-test'

/**
 * Postgres with its promises about crashes, the proxy in front of it, and the processes behind the proxy, whose logs go to
 * `directory`.
 */
export async function openStage({
  processes,
  directory,
  settings,
  isExcused
}: {
  processes: Processes
  directory: string
  settings: Record<string, string>
  /** Whether a process that ended had a reason that is not its own. */
  isExcused: (pid: number | undefined) => boolean
}): Promise<Stage> {
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
  // The first migrates; then the others find everything there.
  const first = await start(processes === 'together' ? 'all' : 'web', 0)
  const { webs, workers } = processes === 'together' ? { webs: 1, workers: 0 } : processes
  const [more, hands] = await Promise.all([
    Promise.all(Array.from({ length: webs - 1 }, (_, n) => start('web', n + 1))),
    Promise.all(Array.from({ length: workers }, (_, n) => start('worker', n)))
  ])
  const all = [first, ...more]

  const stage: Omit<Stage, typeof Symbol.asyncDispose> = {
    webs: all,
    workers: processes === 'together' ? all : hands,
    proxy,
    sql,
    ended,
    async killPostgres() {
      const pid = async () => (await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]
      // One that was killed just now is not there again yet.
      const killed = await again(async () => {
        const one = Number(await pid())
        process.kill(one, 'SIGKILL')
        return one
      })
      // Its backends answer for a moment longer: only the next one's count.
      await again(async () => {
        if (Number(await pid()) === killed) throw new Error('Postgres has not been started again.')
        const next = connect(database.url, { max: 1 })
        await next`select 1`.finally(() => next.end({ timeout: 0 }))
      })
    },
    async stopPostgres() {
      const postmaster = Number((await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      // The first of them would otherwise start more.
      const all = [postmaster, ...children.trim().split(' ').map(Number)].filter(pid => pid > 0)
      const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
        for (const pid of all) sent(pid, name)
      }
      signal('SIGSTOP')
      return () => signal('SIGCONT')
    },
    async ask(method, path, { body, text, headers, web = 0, patience = 5_000 } = {}) {
      const response = await fetch(`${all[web % all.length]?.url}${path}`, {
        method,
        headers: headers ?? { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(patience),
        ...(text === undefined && body === undefined ? {} : { body: text ?? JSON.stringify(body) })
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
  }
  const owned = up.move()
  return { ...stage, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** False when there is no such process (any more). */
function sent(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}

/** Again and again until it does not throw. */
export async function again<T>(work: () => PromiseLike<T>, patience = 60_000): Promise<T> {
  const late = Date.now() + patience
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > late) throw error
      await pause(50)
    }
  }
}

/** Starts a server, and the next one whenever it ends before its time. `onEnd`: it was not killed. */
async function keepAlive(
  settings: Record<string, string>,
  log: WriteStream,
  onEnd: (pid: number | undefined, code: number | null) => void
): Promise<Process & { end(): Promise<void> }> {
  let ending = false
  let server: TestServer | undefined
  let isUp = false
  const note = (said: object) =>
    void log.write(`${JSON.stringify({ at: new Date().toISOString(), ...said })}\n`)
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
  const killed = new Set<TestServer | undefined>()
  let serves: Promise<unknown> = Promise.resolve()
  /** Whoever is down is started again; Postgres may be down too, and then it ends before it was ready. */
  const raise = async () => {
    while (!ending) {
      const one = server
      const code = (await one?.exited) ?? null
      isUp = false
      if (ending) return
      note({ message: 'It ended.', code })
      if (!killed.has(one)) onEnd(one?.process.pid, code)
      // However long it takes: on a full machine, under faults, many a start is cut off.
      serves = again<unknown>(() => (ending ? Promise.resolve() : start(port)), Number.POSITIVE_INFINITY)
      await serves
    }
  }
  const raised = raise()
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
      // The one that raises has been told, and begins within this turn of the loop.
      await pause(0)
      await serves
    },
    stop: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    async end() {
      ending = true
      signal('SIGCONT')
      signal('SIGTERM')
      await server?.exited
      await Promise.race([raised, pause(10_000, undefined, { ref: false })])
      log.end()
    }
  }
}
