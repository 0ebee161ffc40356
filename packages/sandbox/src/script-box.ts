import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bwrapArgs, type CommandLine, emptied, unprivileged } from './sandbox.ts'

/** The folder in the sandbox with everything that runs the script. */
const scriptRoot = '/opt/script'

/** The descriptors from which bubblewrap reads the script's text and the system call filter. */
export const textFd = 4
export const filterFd = 5

/**
 * Limits of each process: three minutes of CPU time, 1 GB of data (Node needs most of that to start), 2 GB of
 * address space, 16 MB per file, 256 open files, and no core files.
 */
const limits = ['--cpu=180', '--data=1000000000', '--as=2147483648', '--fsize=16777216', '--nofile=256']

/**
 * Limit of processes and threads, of which Node needs a dozen. It is set inside the sandbox, so that only its
 * processes are included.
 */
const maxProcesses = 64

/**
 * Returns the command line of a script. It runs in Node with zx, never as root, in the same sandbox as
 * programs, with an empty working directory that is deleted with it. Its text is sent through `textFd` and is
 * never stored in a file. `enter` is a command that runs the whole command line.
 */
export function scriptCommand(enter: readonly string[] = []): CommandLine {
  const zx = dirname(createRequire(import.meta.url).resolve('zx/package.json'))
  const main = fileURLToPath(new URL('./script-main.mjs', import.meta.url))
  const bind = (from: string, target: string) => ['--ro-bind', from, `${scriptRoot}/${target}`]
  const sandboxArgs = bwrapArgs({
    network: false,
    readOnly: [],
    readWrite: [],
    more: [
      ...['--hostname', 'script', ...emptied('/work')],
      ...bind(process.execPath, 'bin/node'),
      ...bind(zx, 'node_modules/zx'),
      ...bind(main, 'main.mjs'),
      ...['--ro-bind-data', String(textFd), `${scriptRoot}/script.mjs`]
    ],
    filterFd,
    start: '/work'
  })
  const [command = '', ...args] = [
    ...enter,
    ...['prlimit', ...limits, '--core=0', '--', ...unprivileged(), 'bwrap', ...sandboxArgs, '--'],
    ...['prlimit', `--nproc=${maxProcesses}`, '--', `${scriptRoot}/bin/node`, `${scriptRoot}/main.mjs`]
  ]
  const path = `${scriptRoot}/bin:/usr/local/bin:/usr/bin:/bin`
  return { command, args, env: { PATH: path, HOME: '/work', LANG: 'C.UTF-8' } }
}
