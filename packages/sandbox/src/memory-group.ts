import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Memory limit of all processes of a sandbox together, including their files in memory, in bytes. */
const maxBytes = 640 * 1024 * 1024

/**
 * A control group for one sandbox. `enter` is a command that runs another command in the group, `overran`
 * returns whether the kernel killed a process for its memory, and `leave` removes the group.
 */
export type MemoryGroup = { enter: string[]; overran: () => boolean; leave: () => Promise<void> }

let groupCount = 0

/**
 * Creates a control group with a memory limit, below the group of this process, with cgroup version 1 or 2.
 * Returns undefined if this process has no permission, which is normal unless the server is root.
 */
export function memoryGroup(): MemoryGroup | undefined {
  const hierarchy = findHierarchy()
  if (hierarchy === undefined) return undefined
  const group = join(hierarchy.folder, `waystation-${process.pid}-${++groupCount}`)
  try {
    mkdirSync(group)
    writeFileSync(join(group, hierarchy.limit), String(maxBytes))
  } catch {
    remove(group)
    return undefined
  }
  // If the command cannot enter the group, the other limits still apply.
  const enter = ['sh', '-c', '{ echo 0 > "$0/cgroup.procs"; } 2>/dev/null; exec "$@"', group]
  return {
    enter,
    overran: () => /^oom_kill [1-9]/m.test(readOrEmpty(join(group, hierarchy.events))),
    async leave() {
      for (let tries = 0; !remove(group) && tries < 100; tries++) await pause(20)
    }
  }
}

/** Removes the empty groups of servers that were killed before they could remove them. */
export function sweepMemoryGroups(): void {
  const hierarchy = findHierarchy()
  if (hierarchy === undefined) return
  for (const name of existsSync(hierarchy.folder) ? readdirSync(hierarchy.folder) : []) {
    const [, pid] = /^waystation-(\d+)-\d+$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(hierarchy.folder, name))
  }
}

/**
 * Returns the folder in which this process can create groups, and the names of their limit file and event file.
 */
function findHierarchy(): { folder: string; limit: string; events: string } | undefined {
  for (const line of readOrEmpty('/proc/self/cgroup').split('\n').filter(Boolean)) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers.split(',').includes('memory'))
      return {
        folder: join('/sys/fs/cgroup/memory', path),
        limit: 'memory.limit_in_bytes',
        events: 'memory.oom_control'
      }
    const folder = join('/sys/fs/cgroup', path)
    if (controllers === '' && delegatesMemory(folder))
      return { folder, limit: 'memory.max', events: 'memory.events' }
  }
  return undefined
}

function delegatesMemory(folder: string): boolean {
  return readOrEmpty(join(folder, 'cgroup.subtree_control')).split(/\s/).includes('memory')
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

function remove(group: string): boolean {
  try {
    rmdirSync(group)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'ENOENT'
  }
}
