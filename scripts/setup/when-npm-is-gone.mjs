import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Calls `callback` when the npm that runs this script ends. A signal to npm alone reaches neither npm's shell nor this
 * process, which would continue as an orphan. Does nothing if npm did not start this script.
 *
 * @param {() => void} callback
 */
export function whenNpmIsGone(callback) {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const npm = parentOf(shell)
  const timer = setInterval(() => {
    if (process.ppid === shell && (npm === undefined || parentOf(shell) === npm)) return
    clearInterval(timer)
    callback()
  }, 500)
  timer.unref()
}

/**
 * Returns the ID of a process's current parent: if the original parent died, this is the process that adopted the
 * child.
 *
 * @param {number} pid
 */
function parentOf(pid) {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })
    return Number(stdout) || undefined
  }
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
