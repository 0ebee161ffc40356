import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the private memory of a process and all its descendants, in bytes. In a PID namespace, no process can
 * detach from its parents, so none is missed.
 */
export function memoryInUse(pid: number): number {
  let bytes = 0
  const pending = [pid]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const status = readOrEmpty(`/proc/${current}/status`)
    for (const [, kilobytes] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm))
      bytes += Number(kilobytes) * 1024
    for (const thread of threadsOf(current))
      pending.push(
        ...readOrEmpty(`/proc/${current}/task/${thread}/children`).split(' ').filter(Boolean).map(Number)
      )
  }
  return bytes
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Returns an empty text if the process has just ended. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
