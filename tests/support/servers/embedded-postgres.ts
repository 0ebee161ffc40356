import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type RunningPostgres, startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

/** The directory of the current test's embedded Postgres. */
export let dir: string
let templateDir: string
let servers: RunningPostgres[]

/** Gives each test of a file its own database files, in `dir`. Stops the test's servers when it ends. */
export function withEmbeddedPostgres(): void {
  // Creating the files of a database takes a second, so each test gets a copy.
  beforeAll(async () => {
    templateDir = await mkdtemp(join(tmpdir(), 'waystation-postgres-'))
    await (await startEmbeddedPostgres({ dir: templateDir, durable: false })).stop()
  })
  afterAll(() => rm(templateDir, { recursive: true }))

  beforeEach(async () => {
    dir = join(await mkdtemp(join(tmpdir(), 'waystation-postgres-')), 'pg')
    servers = []
    await cp(templateDir, dir, { recursive: true })
  })
  afterEach(async () => {
    for (const server of servers) await server.stop()
    await rm(join(dir, '..'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
}

let pid: number

/** Starts or joins the server in `dir`. It stops when the test ends. */
export async function start({ durable = false } = {}) {
  const server = await startEmbeddedPostgres({ dir, durable })
  servers.push(server)
  await pidOf()
  return server
}

/** Starts or joins the server in `dir` from another process. */
export async function startElsewhere(): Promise<{ child: ChildProcess; url: string; reused: boolean }> {
  const script = fileURLToPath(new URL('../../server/keep-postgres.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, ...JSON.parse(line) }
}

/** Returns the server's process ID and remembers it for {@link lastPid}. */
export async function pidOf() {
  pid = Number.parseInt(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8'), 10)
  return pid
}

/** Returns the last ID from {@link pidOf}, for when the server's PID file no longer exists. */
export async function lastPid() {
  return pid
}

/** Runs a query on its own connection. */
export async function query(
  url: string,
  question: (sql: postgres.Sql) => PromiseLike<postgres.RowList<postgres.Row[]>>
) {
  const sql = postgres(url, { max: 1, connect_timeout: 3, onnotice: () => undefined })
  try {
    return await question(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Listens on this port as soon as it is free. */
export async function acquirePort(port: number): Promise<Server> {
  for (;;) {
    const server = createServer(socket => socket.destroy())
    const isListening = await new Promise(done => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    if (isListening) return server
  }
}
