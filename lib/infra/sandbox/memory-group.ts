import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Memory that all processes of a sandbox have together, in bytes, those of its files in memory among it. */
const most = 640 * 1024 * 1024

/**
 * A control group for one sandbox: what is run by `enter` is in it, `overran` says whether the kernel has ended something of it
 * for its memory, and `leave` takes it away again.
 */
export type MemoryGroup = { enter: string[]; overran: () => boolean; leave: () => Promise<void> }

let made = 0

/**
 * A group of the kernel that bounds memory, where this process may make one: below its own, by version 1 or 2. Undefined where
 * it may not, which is usual for a server that is not root.
 */
export function memoryGroup(): MemoryGroup | undefined {
  const place = placeOf()
  if (place === undefined) return undefined
  const group = join(place.folder, `waystation-${process.pid}-${++made}`)
  try {
    mkdirSync(group)
    writeFileSync(join(group, place.limit), String(most))
  } catch {
    remove(group)
    return undefined
  }
  // Where it may not be entered, there are the other bounds.
  const enter = ['sh', '-c', '{ echo 0 > "$0/cgroup.procs"; } 2>/dev/null; exec "$@"', group]
  return {
    enter,
    overran: () => /^oom_kill [1-9]/m.test(read(join(group, place.events))),
    async leave() {
      for (let tries = 0; !remove(group) && tries < 100; tries++) await pause(20)
    }
  }
}

/** Takes away the groups of processes that were killed before they could: those with nobody in them. */
export function sweepMemoryGroups(): void {
  const place = placeOf()
  if (place === undefined) return
  for (const name of existsSync(place.folder) ? readdirSync(place.folder) : []) {
    const [, pid] = /^waystation-(\d+)-\d+$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(place.folder, name))
  }
}

/** Where this process may make groups, and the files of one that bound it and tell of it. */
function placeOf(): { folder: string; limit: string; events: string } | undefined {
  for (const line of read('/proc/self/cgroup').split('\n').filter(Boolean)) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers.split(',').includes('memory'))
      return {
        folder: join('/sys/fs/cgroup/memory', path),
        limit: 'memory.limit_in_bytes',
        events: 'memory.oom_control'
      }
    const folder = join('/sys/fs/cgroup', path)
    if (controllers === '' && handsDownMemory(folder))
      return { folder, limit: 'memory.max', events: 'memory.events' }
  }
  return undefined
}

function handsDownMemory(folder: string): boolean {
  return read(join(folder, 'cgroup.subtree_control')).split(/\s/).includes('memory')
}

function read(file: string): string {
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
