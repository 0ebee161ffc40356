import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Binaries } from './binaries.ts'
import type { Privileges } from './privileges.ts'
import { isRunning } from './processes.ts'

/** The database user that owns everything in an embedded Postgres. */
export const OWNER = 'waystation'

/** The files of one embedded Postgres, as absolute paths without symbolic links. */
export type Cluster = ReturnType<typeof clusterIn>

/** Returns the paths of the cluster in `directory`, and creates the directory with access for its owner only. */
export function clusterIn(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const dir = realpathSync(directory)
  return {
    dir,
    data: join(dir, 'data'),
    password: join(dir, 'password'),
    port: join(dir, 'port'),
    log: join(dir, 'server.log'),
    lock: join(dir, 'lock'),
    users: join(dir, 'users')
  }
}

/**
 * The content of `postmaster.pid`, Postgres' file about a running server. See "Postmaster lock file" in its
 * `miscadmin.h`.
 */
export type Postmaster = { pid: number; port: number; ready: boolean; running: boolean }

/**
 * Reads `postmaster.pid` and checks whether that server really runs. Returns undefined if the file does not exist.
 */
export function postmasterOf(cluster: Cluster): Postmaster | undefined {
  const file = join(cluster.data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  return {
    pid,
    port: Number(lines[3]),
    ready: lines[7]?.trim() === 'ready',
    running: pid > 0 && isRunning(pid, cluster.data)
  }
}

/**
 * Creates the database files unless they exist. Throws, and changes nothing, if the directory belongs to another
 * major version or is no Postgres data directory. Requires the cluster's lock.
 */
export async function makeCluster(cluster: Cluster, binaries: Binaries, as: Privileges, durable: boolean) {
  if (as.uid !== undefined) chownSync(cluster.dir, as.uid, as.gid!)
  removeUnfinished(cluster)
  if (existsSync(cluster.data) && readdirSync(cluster.data).length > 0)
    return assertCompatible(cluster, binaries)
  if (!existsSync(cluster.password))
    writeFileSync(cluster.password, randomBytes(18).toString('base64url'), { mode: 0o600 })
  if (as.uid !== undefined) chownSync(cluster.password, as.uid, as.gid!)
  const unfinished = `${cluster.data}.new`
  await initdb(unfinished, cluster, binaries, as, durable)
  renameSync(unfinished, cluster.data)
}

/**
 * Removes the directory of an interrupted initdb. It was never used: the data directory is renamed into place only
 * when it is complete.
 */
function removeUnfinished(cluster: Cluster) {
  rmSync(`${cluster.data}.new`, { recursive: true, force: true })
}

function assertCompatible(cluster: Cluster, { major }: Binaries) {
  const version = join(cluster.data, 'PG_VERSION')
  if (!existsSync(version))
    throw new Error(
      `${cluster.data} contains files, but no database. Nothing was changed. ` +
        'Move this directory, or set WAYSTATION_DATA_DIR to another one.'
    )
  const dataVersion = Number.parseInt(readFileSync(version, 'utf8'), 10)
  if (dataVersion !== major)
    throw new Error(
      `${cluster.data} was created by Postgres ${dataVersion}, but this version of Waystation includes Postgres ${major}. ` +
        `Nothing was changed. To keep the data, dump it with Postgres ${dataVersion} and restore the dump into the ` +
        'database in DATABASE_URL. To start with an empty database, move the directory or set WAYSTATION_DATA_DIR to ' +
        'another one.'
    )
}

/**
 * Runs initdb with Postgres' built-in locale, so that sort orders are the same on every machine. A cluster that is
 * not durable belongs to tests. It trusts local connections, because each of a test's many logins takes 5 to 8 ms
 * with SCRAM.
 */
async function initdb(data: string, cluster: Cluster, binaries: Binaries, as: Privileges, durable: boolean) {
  const command = [
    ...as.prefix,
    binaries.initdb,
    ...[
      '-D',
      data,
      '-U',
      OWNER,
      `--pwfile=${cluster.password}`,
      `--auth=${durable ? 'scram-sha-256' : 'trust'}`,
      '--encoding=UTF8'
    ],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions'],
    ...(durable ? [] : ['--no-sync'])
  ]
  const child = spawn(command[0]!, command.slice(1), {
    uid: as.uid,
    gid: as.gid,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const ended = new Promise<number | null>((done, fail) => child.once('error', fail).once('exit', done))
  const [code, stderr] = await Promise.all([ended, text(child.stderr)])
  if (code !== 0) throw new Error(`Postgres could not create its files in ${data}: ${stderr.trim()}`)
}

/** Rotates a log of more than 10 MB and keeps one old log. */
export function rotateLog(cluster: Cluster) {
  if (existsSync(cluster.log) && statSync(cluster.log).size > 10 << 20)
    renameSync(cluster.log, `${cluster.log}.old`)
}
