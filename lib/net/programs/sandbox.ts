import { execFile } from 'node:child_process'
import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import type { Program } from './allow-list.ts'

/** A command line, and all of the environment that it gets: nothing is inherited. */
export type CommandLine = { command: string; args: string[]; env: Record<string, string> }

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Ten minutes of processor time, 2 GB of memory each, 256 MB a file, and no core files. */
const limits = ['--cpu=600', '--data=2000000000', '--fsize=268435456', '--nofile=1024', '--core=0']

/**
 * How a program is started: in bubblewrap, which shows it the system's programs and libraries and the paths of its entry, in
 * namespaces of its own, without network unless its entry says so. It ends with the process that started it.
 */
export function commandLineOf(program: Program): CommandLine {
  const { command, args } = program
  const env = {
    PATH: isAbsolute(command) ? `${dirname(command)}:${path}` : path,
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    ...program.env
  }
  const inside = program.sandbox
    ? ['bwrap', ...wallsOf(program), '--']
    : ['setpriv', '--pdeathsig', 'KILL', '--']
  return { command: 'prlimit', args: [...limits, ...inside, command, ...args], env }
}

type Walls = Pick<Program, 'network' | 'readOnly' | 'readWrite'> & {
  more?: readonly string[]
  start?: string
}

/** What bubblewrap is told: `more` adds to what is seen, and `start` is the folder where it begins. */
export function wallsOf({ network, readOnly, readWrite, more = [], start = '/tmp' }: Walls): string[] {
  const known = ['/etc/ssl', '/etc/ld.so.cache', '/etc/alternatives']
  if (network) known.push('/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf')
  return [
    ...['--unshare-user', '--unshare-all', ...(network ? ['--share-net'] : []), '--disable-userns'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534'],
    ...['--ro-bind', '/usr', '/usr', ...['/bin', '/sbin', '/lib', '/lib64'].flatMap(shown)],
    ...known.flatMap(one => ['--ro-bind-try', one, one]),
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

/** Of a system's first folders, most are links into /usr by now. */
function shown(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder]
}

const run = promisify(execFile)
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

/** Whether the sandbox works here: undefined, or why not, as a sentence for whoever runs this server. */
export async function sandboxFault(): Promise<string | undefined> {
  const { command, args, env } = commandLineOf(nothing)
  try {
    await run(command, args, { env: env as NodeJS.ProcessEnv, timeout: 10_000 })
    return undefined
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    return faultOf(stderr, code)
  }
}

/** Why a sandbox did not begin, by what was said of it. */
export function faultOf(stderr: string, code: unknown): string {
  if (code === 'ENOENT' || /(bwrap|setpriv): No such file|failed to execute (bwrap|setpriv)/i.test(stderr))
    return 'bubblewrap (bwrap), prlimit and setpriv are not all installed here.'
  return `bubblewrap does not work here: ${stderr.trim().slice(0, 300) || String(code)}.`
}
