import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Calls back when the npm that runs us is gone. A signal to npm alone reaches neither its shell nor us: we would go
 * on as orphans. Does nothing when npm did not start us.
 *
 * @param {() => void} gone
 */
export function whenNpmIsGone(gone) {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const npm = parentOf(shell)
  const watching = setInterval(() => {
    if (process.ppid === shell && (npm === undefined || parentOf(shell) === npm)) return
    clearInterval(watching)
    gone()
  }, 500)
  watching.unref()
}

/** The process ID of a process' parent; when that has died, of whoever took its place. @param {number} pid */
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
