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

/** The user that owns everything in an embedded Postgres. */
export const OWNER = 'waystation'

/** Where the parts of one embedded Postgres lie; all paths are absolute and without symbolic links. */
export type Cluster = ReturnType<typeof clusterIn>

/** Names the files of the cluster in `directory` and makes the directory, closed to others. */
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

/** Postgres' own note of a running server (`postmaster.pid`): see "Postmaster lock file" in its `miscadmin.h`. */
export type Postmaster = { pid: number; port: number; ready: boolean; running: boolean }

/** What `postmaster.pid` says, and whether that server really runs; undefined when there is no such file. */
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
 * Makes the database files unless they are there. Throws, and touches nothing, when what is there was made by
 * another major version or is not a Postgres data directory. Call it under the cluster's lock.
 */
export async function makeCluster(cluster: Cluster, binaries: Binaries, as: Privileges, durable: boolean) {
  if (as.uid !== undefined) chownSync(cluster.dir, as.uid, as.gid!)
  removeUnfinished(cluster)
  if (existsSync(cluster.data) && readdirSync(cluster.data).length > 0)
    return refuseForeign(cluster, binaries)
  if (!existsSync(cluster.password))
    writeFileSync(cluster.password, randomBytes(18).toString('base64url'), { mode: 0o600 })
  if (as.uid !== undefined) chownSync(cluster.password, as.uid, as.gid!)
  const unfinished = `${cluster.data}.new`
  await initdb(unfinished, cluster, binaries, as, durable)
  renameSync(unfinished, cluster.data)
}

/** An interrupted initdb leaves a directory that nobody ever used: the data directory appears only when whole. */
function removeUnfinished(cluster: Cluster) {
  rmSync(`${cluster.data}.new`, { recursive: true, force: true })
}

function refuseForeign(cluster: Cluster, { major }: Binaries) {
  const version = join(cluster.data, 'PG_VERSION')
  if (!existsSync(version))
    throw new Error(
      `${cluster.data} contains files, but no database. Nothing was changed. ` +
        'Move this directory, or set WAYSTATION_DATA_DIR to another one.'
    )
  const found = Number.parseInt(readFileSync(version, 'utf8'), 10)
  if (found !== major)
    throw new Error(
      `${cluster.data} was created by Postgres ${found}, but this version of Waystation includes Postgres ${major}. ` +
        `Nothing was changed. To keep the data, dump it with Postgres ${found} and restore the dump into the ` +
        'database in DATABASE_URL. To start with an empty database, move the directory or set WAYSTATION_DATA_DIR to ' +
        'another one.'
    )
}

/**
 * Locale and encoding are Postgres' own, so that a database sorts alike on every machine. A cluster that is not durable
 * is a test's: it trusts this machine, because each of a test's many logins costs 5 to 8 ms with SCRAM.
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
  const [code, complaints] = await Promise.all([ended, text(child.stderr)])
  if (code !== 0) throw new Error(`Postgres could not create its files in ${data}: ${complaints.trim()}`)
}

/** Moves a log of more than 10 MB aside, keeping one old one. */
export function rotateLog(cluster: Cluster) {
  if (existsSync(cluster.log) && statSync(cluster.log).size > 10 << 20)
    renameSync(cluster.log, `${cluster.log}.old`)
}
