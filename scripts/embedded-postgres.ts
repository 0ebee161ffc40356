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

export type EmbeddedPostgres = {
  /** The directory that holds the database; made when absent, closed to other users. */
  dir: string
  /** The database's name, a plain word. Made when absent. */
  database?: string
  /** False gives up every promise about crashes for speed. Only for tests. */
  durable?: boolean
}

export type RunningPostgres = {
  /** `postgres://…` on 127.0.0.1; the same from start to start while its port is free. */
  url: string
  /** A server already ran: another process's, or one whose starter was killed. */
  reused: boolean
  /**
   * Gives the server back. The last of its living users stops it, and waits until it is down. A user that exits without this
   * tells the server to stop, and does not wait.
   */
  stop(): Promise<void>
}

let users = 0

/**
 * Starts the Postgres that npm installed, or joins the one that already runs in this directory, and keeps it
 * running: a server that is killed is started again on the same port.
 *
 * The server is a process of its own and outlives a killed starter; whoever starts next joins it. Everyone who uses
 * it leaves a note in `users/`, and the last living one who stops takes the server along. All of it happens under
 * one lock, so any number may start and stop at once.
 *
 * Throws sentences for people: no binaries for this machine, a data directory of another major version (which is
 * never touched), a server that gives up (with its own last words).
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgres): Promise<RunningPostgres> {
  const { database = 'waystation', durable = true } = options
  const binaries = await findBinaries()
  const as = privileges()
  const cluster = clusterIn(options.dir)
  const note = join(cluster.users, `${process.pid}-${++users}`)
  let stopping = false

  const ensure = async (samePort?: number) => {
    const found = postmasterOf(cluster)
    if (found?.running) return { pid: found.pid, port: await portOf(cluster), reused: true }
    const { pid, port, exited } = await launch(cluster, binaries, as, durable, samePort)
    return { pid, port, exited, reused: false }
  }

  /** The next server, after however many tries: one may be killed while it starts. Undefined when none is wanted any more. */
  const startAgain = async (port: number) => {
    for (let wait = 250; ; wait = Math.min(2 * wait, 10_000)) {
      try {
        return await withLock(cluster.lock, async () => (stopping ? undefined : ensure(port)))
      } catch (error) {
        console.error(`The embedded Postgres did not start. Next attempt in ${wait / 1000} s. ${error}`)
        await pause(wait, undefined, { ref: false })
      }
    }
  }

  /** Waits for the server's end and, unless we wanted it, starts it again. */
  const supervise = async (server: Awaited<ReturnType<typeof ensure>>): Promise<void> => {
    for (
      let now: typeof server | undefined = server;
      now !== undefined;
      now = await startAgain(server.port)
    ) {
      await (now.exited ?? endOf(now.pid, { ref: false }))
      if (stopping) return
    }
  }

  const leave = () => {
    rmSync(note, { force: true })
    return !hasUsers(cluster)
  }
  const onExit = () => {
    if (leave()) askToStop(cluster)
  }

  const server = await withLock(cluster.lock, async () => {
    process.on('exit', onExit)
    await makeCluster(cluster, binaries, as, durable)
    const started = await ensure()
    mkdirSync(cluster.users, { recursive: true, mode: 0o700 })
    writeFileSync(note, birthOf(process.pid) ?? '')
    await makeDatabase(urlOf(cluster, started.port, 'postgres'), database)
    return started
  })
  void supervise(server)

  return {
    url: urlOf(cluster, server.port, database),
    reused: server.reused,
    stop: () =>
      withLock(cluster.lock, async () => {
        stopping = true
        if (leave()) await stopServer(cluster)
        process.off('exit', onExit)
      })
  }
}

function urlOf(cluster: Cluster, port: number, database: string) {
  return `postgres://${OWNER}:${readFileSync(cluster.password, 'utf8').trim()}@127.0.0.1:${port}/${database}`
}

/** A server we did not start may still be on its way up. */
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
    const [there] = await sql`select 1 from pg_database where datname = ${database}`
    if (!there) await sql`create database ${sql(database)}`
  } finally {
    await sql.end()
  }
}

/** Whether a living process still uses the server; notes of dead ones are thrown away. */
function hasUsers(cluster: Cluster) {
  if (!existsSync(cluster.users)) return false
  for (const name of readdirSync(cluster.users)) {
    const note = join(cluster.users, name)
    if (birthOf(Number.parseInt(name, 10)) === readFileSync(note, 'utf8')) return true
    rmSync(note, { force: true })
  }
  return false
}

/** SIGINT is Postgres' fast shutdown: it ends the sessions, writes everything down and goes. */
function askToStop(cluster: Cluster) {
  const server = postmasterOf(cluster)
  if (!server?.running) return undefined
  process.kill(server.pid, 'SIGINT')
  return server
}

/** Stops the server, if need be by SIGQUIT, which is a crash. */
async function stopServer(cluster: Cluster) {
  const server = askToStop(cluster)
  if (server === undefined) return
  const down = await Promise.race([endOf(server.pid), pause(8_000, 'late' as const, { ref: false })])
  if (down === 'late') process.kill(server.pid, 'SIGQUIT')
  await endOf(server.pid)
}

async function endOf(pid: number, { ref = true } = {}) {
  while (birthOf(pid) !== undefined) await pause(50, undefined, { ref })
}
