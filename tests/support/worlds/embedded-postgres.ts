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

/** Where the embedded Postgres of the current test has its files. */
export let dir: string
let made: string
let servers: RunningPostgres[]

/** Gives each test of a file the files of a database, in `dir`. Its servers are stopped when it has finished. */
export function withEmbeddedPostgres(): void {
  // To create the files of a database takes a second: each test gets a copy.
  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), 'waystation-postgres-'))
    await (await startEmbeddedPostgres({ dir: made, durable: false })).stop()
  })
  afterAll(() => rm(made, { recursive: true }))

  beforeEach(async () => {
    dir = join(await mkdtemp(join(tmpdir(), 'waystation-postgres-')), 'pg')
    servers = []
    await cp(made, dir, { recursive: true })
  })
  afterEach(async () => {
    for (const server of servers) await server.stop()
    await rm(join(dir, '..'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
}

let pid: number

export async function start({ durable = false } = {}) {
  const server = await startEmbeddedPostgres({ dir, durable })
  servers.push(server)
  await pidOf()
  return server
}

export async function startElsewhere(): Promise<{ child: ChildProcess; url: string; reused: boolean }> {
  const script = fileURLToPath(new URL('../../server/keep-postgres.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, ...JSON.parse(line) }
}

/** The server's process, remembered for when its note is gone. */
export async function pidOf() {
  pid = Number.parseInt(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8'), 10)
  return pid
}

export async function lastPid() {
  return pid
}

export async function ask(
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

/** Listens on this port as soon as nobody else does. */
export async function take(port: number): Promise<Server> {
  for (;;) {
    const server = createServer(socket => socket.destroy())
    const listens = await new Promise(done => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    if (listens) return server
  }
}
