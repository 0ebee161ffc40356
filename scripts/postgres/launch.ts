import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { type Cluster, type Postmaster, postmasterOf, rotateLog } from './cluster.ts'
import type { Privileges } from './privileges.ts'

/** The server's end: resolves when the process is gone. Only its own starter hears of it this way. */
export type Launched = { pid: number; port: number; exited: Promise<void> }

const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
const FLEETING = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Several worlds of a test run share the server, each with up to 24 connections.
  max_connections: '400',
  // Its databases live for seconds: nothing in them is worth a vacuum.
  autovacuum: 'off',
  // A connection runs most statements a few times: plan each once, not for its first five uses.
  plan_cache_mode: 'force_generic_plan',
  max_wal_senders: '0',
  wal_level: 'minimal'
}

/**
 * Starts the Postgres server of a cluster and resolves when it accepts connections, after a crash: when it has
 * recovered. Throws with the server's own last words when it gives up. Call it under the cluster's lock, when no
 * server runs. `samePort`: where those who know the database look for it; without it, the port of the last time if
 * that is free.
 *
 * Given on the command line, the settings win over anything in the data directory.
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
      ...(durable ? DURABLE : FLEETING)
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const logStart = existsSync(cluster.log) ? statSync(cluster.log).size : 0
    const launched = spawnServer(cluster, [...as.prefix, binaries.postgres, '-D', cluster.data, ...flags], as)
    if (await becomesReady(cluster, launched)) return { pid: launched.pid, exited: launched.exited, port }
    const words = readFileSync(cluster.log, 'utf8').slice(logStart).trim()
    // The port was taken in between, or processes of a killed server are still on their way out.
    const passing = /could not bind|pre-existing shared memory block/.test(words)
    if (!passing || attempt === 20)
      throw new Error(`Postgres did not start in ${cluster.data}: ${words.slice(-2000)}`)
    await pause(250)
  }
}

function spawnServer(cluster: Cluster, command: string[], as: Privileges) {
  const log = openSync(cluster.log, 'a', 0o600)
  const child = spawn(command[0]!, command.slice(1), {
    uid: as.uid,
    gid: as.gid,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', ...ignoringStale(postmasterOf(cluster)) },
    // A group of its own: Ctrl-C in the terminal is for us, and we stop the server when everything is put away.
    detached: true,
    stdio: ['ignore', log, log]
  })
  closeSync(log)
  child.unref()
  const exited = new Promise<void>(done => child.once('exit', () => done()).once('error', () => done()))
  return { pid: child.pid ?? 0, exited, stop: () => void child.kill('SIGINT') }
}

/**
 * Postgres does not start while the process named in `postmaster.pid` exists, even when it is a zombie or a stranger
 * with a recycled ID. We know better; but instead of removing the file, which would also skip Postgres' check for
 * living children of the dead server, we name the ID as one it shall not mind (`CreateLockFile` in `miscinit.c`).
 */
function ignoringStale(stale: Postmaster | undefined) {
  return stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {}
}

/** False when the server ended before it was ready. */
async function becomesReady(cluster: Cluster, { pid, exited, stop }: ReturnType<typeof spawnServer>) {
  let gone = pid === 0
  void exited.then(() => {
    gone = true
  })
  // Until it is ready it may have no `postmaster.pid` by which it could be found and stopped.
  process.on('exit', stop)
  try {
    while (!gone) {
      const postmaster = postmasterOf(cluster)
      if (postmaster?.pid === pid && postmaster.ready) return true
      await pause(15)
    }
    return false
  } finally {
    process.off('exit', stop)
  }
}

/** The port of the last time if it is free, so that the database's address stays the same; else any free one. */
async function choosePort(cluster: Cluster) {
  const last = existsSync(cluster.port) ? Number(readFileSync(cluster.port, 'utf8')) : 0
  const port = (last && (await freePort(last))) || (await freePort(anyPort())) || (await freePort(0))
  if (!port) throw new Error('The embedded Postgres found no free port on 127.0.0.1.')
  writeFileSync(cluster.port, String(port), { mode: 0o600 })
  return port
}

/** Below those that systems give to outgoing connections: one of these could take the port while the server is down. */
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
