import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type BoundPath, exposureOf, type HiddenPath } from './exposure.ts'
import type { Program } from './programs.ts'
import { seccompFilter } from './seccomp-filter.ts'

/**
 * A command line with its whole environment: nothing is inherited. The sandbox reads `filter`, the allowed
 * system calls, from descriptor 3.
 */
export type CommandLine = { command: string; args: string[]; env: Record<string, string>; filter?: Buffer }

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Limits of each process: 2 GB of memory, 256 MB per file, and no core files. */
const limits = ['--data=2000000000', '--fsize=268435456', '--nofile=1024', '--core=0']
/** The CPU time of a program that works for one session: ten minutes. */
const cpuLimit = '--cpu=600'

/**
 * Returns the command line of a program in bubblewrap. The program sees the system's programs and libraries and
 * the paths of its entry, has its own namespaces, and has network access only if its entry allows it. It ends
 * with the process that started it, and never runs as root. `start` is its working directory. A `service` has no limit
 * of CPU time.
 */
export function commandLineOf(
  program: Program,
  { start, service = false }: { start?: string; service?: boolean } = {}
): CommandLine {
  const { command, args } = program
  const env = {
    PATH: isAbsolute(command) ? `${dirname(command)}:${path}` : path,
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    ...program.env
  }
  const bwrap = program.sandbox ? ['bwrap', ...bwrapArgs({ ...program, filterFd: 3, start }), '--'] : []
  return {
    command: 'prlimit',
    args: [
      ...(service ? [] : [cpuLimit]),
      ...limits,
      ...unprivileged('--pdeathsig', 'KILL'),
      ...bwrap,
      command,
      ...args
    ],
    env,
    ...(program.sandbox ? { filter: seccompFilter() } : {})
  }
}

/**
 * Returns a command prefix that prevents gaining privileges. If the server is root, it also switches to the
 * user `nobody`, because root stays root in bubblewrap.
 */
export function unprivileged(...more: string[]): string[] {
  const root = process.getuid?.() === 0 || process.geteuid?.() === 0
  const ids = root ? ['--reuid', '65534', '--regid', '65534', '--clear-groups'] : []
  return ['setpriv', ...ids, '--no-new-privs', ...more, '--']
}

/** Starts a command line and writes its filter. */
export function start({ command, args, env, filter }: CommandLine, options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, {
    ...options,
    env: env as NodeJS.ProcessEnv,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', ...(filter === undefined ? [] : ['pipe' as const])]
  })
  // If no descriptors are left, there is no pipe, and the event `error` reports it.
  const pipe = child.stdio?.[3] as Writable | undefined
  pipe?.on('error', () => undefined).end(filter)
  return child
}

type SandboxAccess = Pick<Program, 'network' | 'readOnly' | 'readWrite'>
type SandboxOptions = SandboxAccess & {
  filterFd: number
  more?: readonly string[]
  start?: string | undefined
}

/** Folders of programs and libraries. On current systems, most of them are links into the first one. */
const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib64']

const systemFiles = (network: boolean): string[] => [
  ...['/etc/ssl/certs', '/etc/ld.so.cache', '/etc/alternatives'],
  ...(network ? ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'] : [])
]

/** Returns all paths of this machine that a sandbox exposes. */
export const exposedPaths = ({ network, readOnly, readWrite }: SandboxAccess): BoundPath[] => [
  ...[...folders, ...systemFiles(network), ...readOnly].map(path => ({ path })),
  ...readWrite.map(path => ({ path, writable: true as const }))
]

/**
 * Returns the arguments for bubblewrap. `filterFd` is the descriptor of the system call filter, `more` adds
 * mounts, and `start` is the working directory.
 */
export function bwrapArgs({
  network,
  readOnly,
  readWrite,
  filterFd,
  more = [],
  start = '/tmp'
}: SandboxOptions): string[] {
  return [
    ...['--unshare-user', '--unshare-all', ...(network ? ['--share-net'] : []), '--disable-userns'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534'],
    ...['--seccomp', String(filterFd), ...folders.flatMap(folderMount)],
    ...systemFiles(network).flatMap(file => ['--ro-bind-try', file, file]),
    // The /dev of bubblewrap has no size limit of its own.
    ...['--proc', '/proc', '--dev', '/dev', ...emptied('/dev/shm'), '--remount-ro', '/dev'],
    ...emptied('/tmp'),
    ...readOnly.flatMap(boundPath => ['--ro-bind', boundPath, boundPath]),
    ...readWrite.flatMap(boundPath => ['--bind', boundPath, boundPath]),
    ...more,
    ...['--remount-ro', '/', '--chdir', start]
  ]
}

/** Returns the arguments for an empty folder of 16 MB in memory. */
export const emptied = (folder: string): string[] => ['--size', '16777216', '--tmpfs', folder]

function folderMount(folder: string): string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder]
}

const noop: Program = {
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
 * Checks that a sandbox works on this machine and exposes nothing of `hidden`. Returns undefined, or a sentence
 * for the operator that says why not.
 */
export async function sandboxError(hidden?: readonly HiddenPath[]): Promise<string | undefined> {
  const exposure = exposureOf(exposedPaths(noop), hidden)
  if (exposure !== undefined) return exposure
  try {
    const child = start(commandLineOf(noop), { timeout: 10_000, killSignal: 'SIGKILL' })
    const [stderr, [code, signal]] = await Promise.all([
      text(child.stderr as NonNullable<typeof child.stderr>),
      once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    ])
    return code === 0 ? undefined : sandboxErrorOf(stderr, code ?? signal)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    return code === undefined ? message : sandboxErrorOf('', code)
  }
}

/** Returns a sentence that says why a sandbox did not start. */
export function sandboxErrorOf(stderr: string, code: unknown): string {
  if (code === 'ENOENT' || /(bwrap|setpriv): No such file|failed to execute (bwrap|setpriv)/i.test(stderr))
    return 'bubblewrap (bwrap), prlimit or setpriv is not installed.'
  return `bubblewrap does not work on this machine: ${stderr.trim().slice(0, 300) || String(code)}.`
}
