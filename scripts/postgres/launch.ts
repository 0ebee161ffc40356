import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { type Cluster, type Postmaster, postmasterOf, rotateLog } from './cluster.ts'
import type { Privileges } from './privileges.ts'

/** A server process that this process started. `exited` resolves when it ends. */
export type Launched = { pid: number; port: number; exited: Promise<void> }

const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
const NOT_DURABLE = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // The servers of a test run share this Postgres, and each has up to 24 connections.
  max_connections: '400',
  // Test databases exist for seconds, so a vacuum gains nothing.
  autovacuum: 'off',
  // A connection runs most statements a few times, so a generic plan beats a new plan for each of the first five
  // runs.
  plan_cache_mode: 'force_generic_plan',
  max_wal_senders: '0',
  wal_level: 'minimal'
}

/**
 * Starts a cluster's Postgres server. Resolves when it accepts connections; after a crash, that is after recovery.
 * Throws with the server's log if it does not start. Requires the cluster's lock, and that no server runs.
 *
 * `samePort` is the port that clients already use. By default, this is the port of the previous start if it is
 * free. Settings on the command line take precedence over those in the data directory.
 */
export async function launch(
  cluster: Cluster,
  binaries: Binaries,
  as: Privileges,
  durable: boolean,
  samePort?: number
): Promise<Launched> {
  rotateLog(cluster)
  for (let attempt = 1; ; attempt++) {
    const port = samePort ?? (await choosePort(cluster))
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
      shared_buffers: '32MB',
      jit: 'off',
      timezone: 'UTC',
      ...(durable ? DURABLE : NOT_DURABLE)
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const logStart = existsSync(cluster.log) ? statSync(cluster.log).size : 0
    const launched = spawnServer(cluster, [...as.prefix, binaries.postgres, '-D', cluster.data, ...flags], as)
    if (await becomesReady(cluster, launched)) return { pid: launched.pid, exited: launched.exited, port }
    const output = readFileSync(cluster.log, 'utf8').slice(logStart).trim()
    // The port was taken in the meantime, or processes of a killed server are still exiting.
    const isTransient = /could not bind|pre-existing shared memory block/.test(output)
    if (!isTransient || attempt === 20)
      throw new Error(`Postgres did not start in ${cluster.data}: ${output.slice(-2000)}`)
    await pause(250)
  }
}

function spawnServer(cluster: Cluster, command: string[], as: Privileges) {
  const log = openSync(cluster.log, 'a', 0o600)
  const child = spawn(command[0]!, command.slice(1), {
    uid: as.uid,
    gid: as.gid,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', ...ignoringStale(postmasterOf(cluster)) },
    // Its own process group: Ctrl-C in the terminal reaches only this process, which stops the server last.
    detached: true,
    stdio: ['ignore', log, log]
  })
  closeSync(log)
  child.unref()
  const exited = new Promise<void>(done => child.once('exit', () => done()).once('error', () => done()))
  return { pid: child.pid ?? 0, exited, stop: () => void child.kill('SIGINT') }
}

/**
 * Postgres does not start while the process in `postmaster.pid` exists, even if it is a zombie or an unrelated
 * process with a reused ID. Removing the file would also skip Postgres' check for live children of the dead server.
 * Instead, this variable tells Postgres to ignore that ID (`CreateLockFile` in `miscinit.c`).
 */
function ignoringStale(stale: Postmaster | undefined) {
  return stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {}
}

/** Waits until the server is ready. Returns false if it exits first. */
async function becomesReady(cluster: Cluster, { pid, exited, stop }: ReturnType<typeof spawnServer>) {
  let hasExited = pid === 0
  void exited.then(() => {
    hasExited = true
  })
  // Until it is ready, the server might have no `postmaster.pid`, so no other code can find and stop it.
  process.on('exit', stop)
  try {
    while (!hasExited) {
      const postmaster = postmasterOf(cluster)
      if (postmaster?.pid === pid && postmaster.ready) return true
      await pause(15)
    }
    return false
  } finally {
    process.off('exit', stop)
  }
}

/**
 * Returns the previous port if it is free, so that the database's URL stays the same, or else another free port.
 * Stores it.
 */
async function choosePort(cluster: Cluster) {
  const last = existsSync(cluster.port) ? Number(readFileSync(cluster.port, 'utf8')) : 0
  const port = (last && (await freePort(last))) || (await freePort(anyPort())) || (await freePort(0))
  if (!port) throw new Error('The embedded Postgres found no free port on 127.0.0.1.')
  writeFileSync(cluster.port, String(port), { mode: 0o600 })
  return port
}

/**
 * Picks a port below the ephemeral range: an outgoing connection could take a port in that range while the server
 * is down.
 */
const anyPort = () => randomInt(20_000, 32_768)

function freePort(port: number) {
  return new Promise<number | undefined>(done => {
    const probe = createServer().once('error', () => done(undefined))
    probe.listen(port, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo
      probe.close(() => done(free))
    })
  })
}
