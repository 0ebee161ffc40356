import { readdirSync, readFileSync } from 'node:fs'

/**
 * What a process and all that came of it hold in memory that is nobody else's, in bytes. In a namespace of processes nothing
 * comes loose from its parents, so nobody hides from this.
 */
export function heldMemory(pid: number): number {
  let held = 0
  const left = [pid]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const status = read(`/proc/${next}/status`)
    for (const [, kilobytes] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm))
      held += Number(kilobytes) * 1024
    for (const thread of threadsOf(next))
      left.push(...read(`/proc/${next}/task/${thread}/children`).split(' ').filter(Boolean).map(Number))
  }
  return held
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Of one that has just ended, nothing. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
