import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandLine, emptied, unprivileged, wallsOf } from './sandbox.ts'

/** Where, within the sandbox, everything is that a script is run by. */
const inside = '/opt/script'

/** The descriptors that bubblewrap reads the script's text from, and the filter of what it may ask of the kernel. */
export const textFd = 4
export const filterFd = 5

/**
 * What each of its processes may have: three minutes of processor time, 1 GB of data (Node itself takes most of that before it
 * begins), 2 GB of addresses, 16 MB a file, 256 open files, and no core files.
 */
const limits = ['--cpu=180', '--data=1000000000', '--as=2147483648', '--fsize=16777216', '--nofile=256']

/** Processes and threads; of these Node has a dozen. Counted within the sandbox alone, so it is set there. */
const processes = 64

/**
 * How a script is run: by Node with zx, never as root, in the walls that programs have, with an empty folder to work in, which is
 * gone with it. Its text comes through `textFd` and is never a file of this machine. `enter`: a command that the whole is run by.
 */
export function scriptCommand(enter: readonly string[] = []): CommandLine {
  const zx = dirname(createRequire(import.meta.url).resolve('zx/package.json'))
  const main = fileURLToPath(new URL('./script-main.mjs', import.meta.url))
  const show = (from: string, at: string) => ['--ro-bind', from, `${inside}/${at}`]
  const walls = wallsOf({
    network: false,
    readOnly: [],
    readWrite: [],
    more: [
      ...['--hostname', 'script', ...emptied('/work')],
      ...show(process.execPath, 'bin/node'),
      ...show(zx, 'node_modules/zx'),
      ...show(main, 'main.mjs'),
      ...['--ro-bind-data', String(textFd), `${inside}/script.mjs`]
    ],
    filterFd,
    start: '/work'
  })
  const [command = '', ...args] = [
    ...enter,
    ...['prlimit', ...limits, '--core=0', '--', ...unprivileged(), 'bwrap', ...walls, '--'],
    ...['prlimit', `--nproc=${processes}`, '--', `${inside}/bin/node`, `${inside}/main.mjs`]
  ]
  const path = `${inside}/bin:/usr/local/bin:/usr/bin:/bin`
  return { command, args, env: { PATH: path, HOME: '/work', LANG: 'C.UTF-8' } }
}
