import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { findBinaries } from './postgres/binaries.ts'
import { type Cluster, clusterIn, makeCluster, OWNER, postmasterOf } from './postgres/cluster.ts'
import { launch } from './postgres/launch.ts'
import { withLock } from './postgres/lock.ts'
import { privileges } from './postgres/privileges.ts'
import { birthOf } from './postgres/processes.ts'

/** Options of `startEmbeddedPostgres`. */
export type EmbeddedPostgres = {
  /** The directory of the database. It is created if it is missing, and other users cannot read it. */
  dir: string
  /** The database's name, a single word. The database is created if it is missing. */
  database?: string
  /** False turns off crash safety to gain speed. Use it only in tests. */
  durable?: boolean
}

/** A server that `startEmbeddedPostgres` started or joined. */
export type RunningPostgres = {
  /** `postgres://…` on 127.0.0.1. It stays the same across starts while its port is free. */
  url: string
  /** True if a server was already running, started by another process or left behind by a killed one. */
  reused: boolean
  /**
   * Releases the server. The last live user stops it and waits for its exit. A user that exits without calling this
   * asks the server to stop and does not wait.
   */
  stop(): Promise<void>
}

let users = 0

/**
 * Starts the Postgres that npm installed, or joins the one that already runs in this directory. Restarts a killed
 * server on the same port.
 *
 * The server is a process of its own and outlives a killed starter; the next starter joins it. Each user of the
 * server has a file in `users/`, and the last live user to stop also stops the server. One lock guards all of this,
 * so any number of processes can start and stop at once.
 *
 * Throws an error with advice if this machine has no binaries, if the server does not start (with its log), or if
 * another major version created the data directory. Such a directory is never changed.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgres): Promise<RunningPostgres> {
  const { database = 'waystation', durable = true } = options
  const binaries = await findBinaries()
  const as = privileges()
  const cluster = clusterIn(options.dir)
  const note = join(cluster.users, `${process.pid}-${++users}`)
  let stopping = false

  const ensureRunning = async (samePort?: number) => {
    const postmaster = postmasterOf(cluster)
    if (postmaster?.running) return { pid: postmaster.pid, port: await portOf(cluster), reused: true }
    const { pid, port, exited } = await launch(cluster, binaries, as, durable, samePort)
    return { pid, port, exited, reused: false }
  }

  /**
   * Retries until a server starts, because a server can be killed while it starts. Returns undefined after `stop`.
   */
  const restart = async (port: number) => {
    for (let wait = 250; ; wait = Math.min(2 * wait, 10_000)) {
      try {
        return await withLock(cluster.lock, async () => (stopping ? undefined : ensureRunning(port)))
      } catch (error) {
        console.error(`The embedded Postgres did not start. Next attempt in ${wait / 1000} s. ${error}`)
        await pause(wait, undefined, { ref: false })
      }
    }
  }

  /** Waits for the server to exit and restarts it, unless `stop` was called. */
  const supervise = async (server: Awaited<ReturnType<typeof ensureRunning>>): Promise<void> => {
    for (let now: typeof server | undefined = server; now !== undefined; now = await restart(server.port)) {
      await (now.exited ?? endOf(now.pid, { ref: false }))
      if (stopping) return
    }
  }

  const removeNote = () => {
    rmSync(note, { force: true })
    return !hasUsers(cluster)
  }
  const onExit = () => {
    if (removeNote()) askToStop(cluster)
  }

  const server = await withLock(cluster.lock, async () => {
    process.on('exit', onExit)
    await makeCluster(cluster, binaries, as, durable)
    const running = await ensureRunning()
    mkdirSync(cluster.users, { recursive: true, mode: 0o700 })
    writeFileSync(note, birthOf(process.pid) ?? '')
    await makeDatabase(urlOf(cluster, running.port, 'postgres'), database)
    return running
  })
  void supervise(server)

  return {
    url: urlOf(cluster, server.port, database),
    reused: server.reused,
    stop: () =>
      withLock(cluster.lock, async () => {
        stopping = true
        if (removeNote()) await stopServer(cluster)
        process.off('exit', onExit)
      })
  }
}

function urlOf(cluster: Cluster, port: number, database: string) {
  return `postgres://${OWNER}:${readFileSync(cluster.password, 'utf8').trim()}@127.0.0.1:${port}/${database}`
}

/** Waits for the port: a server that another process started can still be starting. */
async function portOf(cluster: Cluster) {
  for (;;) {
    const server = postmasterOf(cluster)
    if (server?.ready) return server.port
    if (!server?.running)
      throw new Error(`The Postgres in ${cluster.data} stopped while it was starting. See ${cluster.log}`)
    await pause(25)
  }
}

async function makeDatabase(url: string, database: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const [existing] = await sql`select 1 from pg_database where datname = ${database}`
    if (!existing) await sql`create database ${sql(database)}`
  } finally {
    await sql.end()
  }
}

/** Returns true if a live process uses the server. Deletes the files of dead processes. */
function hasUsers(cluster: Cluster) {
  if (!existsSync(cluster.users)) return false
  for (const name of readdirSync(cluster.users)) {
    const note = join(cluster.users, name)
    if (birthOf(Number.parseInt(name, 10)) === readFileSync(note, 'utf8')) return true
    rmSync(note, { force: true })
  }
  return false
}

/** Asks for Postgres' fast shutdown (SIGINT): it ends the sessions and flushes all data to disk. */
function askToStop(cluster: Cluster) {
  const server = postmasterOf(cluster)
  if (!server?.running) return undefined
  process.kill(server.pid, 'SIGINT')
  return server
}

/** Stops the server. After 8 s it sends SIGQUIT, which has the effect of a crash. */
async function stopServer(cluster: Cluster) {
  const server = askToStop(cluster)
  if (server === undefined) return
  const outcome = await Promise.race([endOf(server.pid), pause(8_000, 'late' as const, { ref: false })])
  if (outcome === 'late') process.kill(server.pid, 'SIGQUIT')
  await endOf(server.pid)
}

async function endOf(pid: number, { ref = true } = {}) {
  while (birthOf(pid) !== undefined) await pause(50, undefined, { ref })
}
