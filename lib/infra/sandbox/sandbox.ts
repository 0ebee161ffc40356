import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Program } from './allow-list.ts'
import { type BoundPath, exposureOf, type HiddenPath } from './hidden-paths.ts'
import { seccompFilter } from './seccomp-filter.ts'

/**
 * A command line, and all of the environment that it gets: nothing is inherited. `filter`: what the sandbox reads on descriptor
 * 3, and what a program in it may ask of the kernel.
 */
export type CommandLine = { command: string; args: string[]; env: Record<string, string>; filter?: Buffer }

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Ten minutes of processor time, 2 GB of memory each, 256 MB a file, and no core files. */
const limits = ['--cpu=600', '--data=2000000000', '--fsize=268435456', '--nofile=1024', '--core=0']

/**
 * How a program is started: in bubblewrap, which shows it the system's programs and libraries and the paths of its entry, in
 * namespaces of its own, without network unless its entry says so. It ends with the process that started it, and is never root.
 */
export function commandLineOf(program: Program): CommandLine {
  const { command, args } = program
  const env = {
    PATH: isAbsolute(command) ? `${dirname(command)}:${path}` : path,
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    ...program.env
  }
  const box = program.sandbox ? ['bwrap', ...wallsOf({ ...program, filterFd: 3 }), '--'] : []
  return {
    command: 'prlimit',
    args: [...limits, ...unprivileged('--pdeathsig', 'KILL'), ...box, command, ...args],
    env,
    ...(program.sandbox ? { filter: seccompFilter() } : {})
  }
}

/** Runs what follows without a way to more rights, and as nobody where the server is root: behind bubblewrap root stays root. */
export function unprivileged(...more: string[]): string[] {
  const root = process.getuid?.() === 0 || process.geteuid?.() === 0
  const ids = root ? ['--reuid', '65534', '--regid', '65534', '--clear-groups'] : []
  return ['setpriv', ...ids, '--no-new-privs', ...more, '--']
}

/** Starts a command line, and gives it its filter. */
export function start({ command, args, env, filter }: CommandLine, options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, {
    ...options,
    env: env as NodeJS.ProcessEnv,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', ...(filter === undefined ? [] : ['pipe' as const])]
  })
  // Where no descriptors are left there is no pipe either, and the event `error` tells.
  const pipe = child.stdio?.[3] as Writable | undefined
  pipe?.on('error', () => undefined).end(filter)
  return child
}

type Bound = Pick<Program, 'network' | 'readOnly' | 'readWrite'>
type Walls = Bound & {
  filterFd: number
  more?: readonly string[]
  start?: string
}

/** The folders of programs and libraries; of these, most are links into the first by now. */
const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib64']

const known = (network: boolean): string[] => [
  ...['/etc/ssl/certs', '/etc/ld.so.cache', '/etc/alternatives'],
  ...(network ? ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'] : [])
]

/** All that a sandbox shows of this machine. */
export const boundBy = ({ network, readOnly, readWrite }: Bound): BoundPath[] => [
  ...[...folders, ...known(network), ...readOnly].map(path => ({ path })),
  ...readWrite.map(path => ({ path, writable: true as const }))
]

/**
 * What bubblewrap is told: `filterFd` is the descriptor that it reads the filter of calls from, `more` adds to what is seen, and
 * `start` is the folder where it begins.
 */
export function wallsOf({
  network,
  readOnly,
  readWrite,
  filterFd,
  more = [],
  start = '/tmp'
}: Walls): string[] {
  return [
    ...['--unshare-user', '--unshare-all', ...(network ? ['--share-net'] : []), '--disable-userns'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534'],
    ...['--seccomp', String(filterFd), ...folders.flatMap(shown)],
    ...known(network).flatMap(one => ['--ro-bind-try', one, one]),
    // What bubblewrap makes of /dev has no bound of its own.
    ...['--proc', '/proc', '--dev', '/dev', ...emptied('/dev/shm'), '--remount-ro', '/dev'],
    ...emptied('/tmp'),
    ...readOnly.flatMap(one => ['--ro-bind', one, one]),
    ...readWrite.flatMap(one => ['--bind', one, one]),
    ...more,
    ...['--remount-ro', '/', '--chdir', start]
  ]
}

/** A folder of 16 MB in memory, with nothing in it. */
export const emptied = (folder: string): string[] => ['--size', '16777216', '--tmpfs', folder]

function shown(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder]
}

const nothing: Program = {
  command: 'true',
  args: [],
  env: {},
  description: '',
  network: false,
  readOnly: [],
  readWrite: [],
  sandbox: true
}

/**
 * Whether a sandbox works here and shows nothing of `hidden`: undefined, or why not, as a sentence for whoever runs this server.
 */
export async function sandboxFault(hidden?: readonly HiddenPath[]): Promise<string | undefined> {
  const exposure = exposureOf(boundBy(nothing), hidden)
  if (exposure !== undefined) return exposure
  try {
    const child = start(commandLineOf(nothing), { timeout: 10_000, killSignal: 'SIGKILL' })
    const [stderr, [code, signal]] = await Promise.all([
      text(child.stderr as NonNullable<typeof child.stderr>),
      once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    ])
    return code === 0 ? undefined : faultOf(stderr, code ?? signal)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    return code === undefined ? message : faultOf('', code)
  }
}

/** Why a sandbox did not begin, by what was said of it. */
export function faultOf(stderr: string, code: unknown): string {
  if (code === 'ENOENT' || /(bwrap|setpriv): No such file|failed to execute (bwrap|setpriv)/i.test(stderr))
    return 'bubblewrap (bwrap), prlimit or setpriv is not installed.'
  return `bubblewrap does not work on this machine: ${stderr.trim().slice(0, 300) || String(code)}.`
}
